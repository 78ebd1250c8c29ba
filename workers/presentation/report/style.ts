import { darkTheme, lightTheme, themeVariables } from '../charts/kit/theme.ts';

/**
 * The style sheet of the report. It follows the reader's light or dark mode, and prints in light mode. On a phone
 * charts keep a readable size and scroll. The rules for print come last, because they override those above.
 */
export const style = `
:root{color-scheme:light dark;${themeVariables(lightTheme)};--page:#f6f7f9;--card:#ffffff;--line:#dde2e7;--warn:#8a5a00;--bad:#a3244f;--zebra:#f8f9fb}
@media (prefers-color-scheme:dark){:root{${themeVariables(darkTheme)};--page:#101317;--card:#171b20;--line:#2b3138;--warn:#e8bd45;--bad:#ff8fb1;--zebra:#1b2026}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--chart-text);font:14px/1.5 ${lightTheme.font};overflow-wrap:break-word}
main{max-width:1360px;margin:0 auto;padding:28px 20px 60px}
header h1{font-size:26px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
header .question{font-size:16px;color:var(--chart-muted);margin:0 0 10px}
.meta{color:var(--chart-muted);font-size:12.5px;margin:0}
nav{margin:16px 0 0;font-size:12.5px}nav a{color:var(--chart-muted);margin-right:14px;text-decoration:none;border-bottom:1px solid var(--line)}
section{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:18px 20px;margin-top:16px}
h2{font-size:15px;margin:0 0 10px;letter-spacing:.01em}
h3{font-size:13px;margin:16px 0 6px}
.note{color:var(--chart-muted);font-size:12.5px;margin:-4px 0 10px;max-width:100ch}
.headline{font-size:20px;line-height:1.25;font-weight:600;letter-spacing:-.01em;margin:0 0 4px}
.certainty{font-weight:600;margin:0 0 8px}
.grade{margin:0 0 8px}.grade strong{display:inline-block;border:1px solid currentColor;border-radius:4px;padding:0 6px;margin-right:4px}.grade .usable{color:var(--warn)}.grade .doNotQuote{color:var(--bad)}
.caveats p{margin:2px 0}
.scroll{overflow-x:auto}.scroll+.note{margin-top:8px}
table{border-collapse:collapse;width:100%;font-size:12.5px;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600;color:var(--chart-muted);border-bottom:1px solid var(--chart-axis);padding:4px 10px 4px 0;vertical-align:bottom;white-space:nowrap}
td{padding:4px 10px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}
th.n,td.n{text-align:right;white-space:nowrap}
td.target{white-space:nowrap}
tr.reference td{color:var(--chart-muted)}tr.reference .faster,tr.reference .slower{font-weight:400}
td.first{font-weight:600;white-space:nowrap}
tr.group td{border-top:1px solid var(--chart-axis)}
.note{text-wrap:pretty}
.interval{color:var(--chart-muted)}
.swatch{display:inline-block;width:9px;height:9px;border-radius:2px;margin:0 6px 0 -15px}:has(>.swatch){padding-left:15px}
.faster{font-weight:600}.slower{font-weight:600}.none{color:var(--chart-muted)}
.badge{display:inline-block;font-size:12px;border:1px solid currentColor;border-radius:4px;padding:0 5px;color:var(--warn);white-space:nowrap;margin:0 4px 2px 0}
.badge.error{color:var(--bad)}.badge.info{color:var(--chart-muted)}
.caveats{list-style:none;margin:0;padding:0}.caveats li{padding:6px 0;border-bottom:1px solid var(--line)}.caveats li:last-child{border:0}
table.evidence{width:auto;margin:4px 0}table.evidence td{border:0;padding:0 16px 0 0}
.unlike a{color:var(--warn)}.reasons{display:block}
.where{color:var(--chart-muted)}
svg{width:100%;max-width:1120px;height:auto;display:block}.picture.small{max-width:400px;margin:6px 0}.picture svg{max-width:100%;width:auto;margin:0 auto 8px}
pre{font:12px/1.5 ui-monospace,"Cascadia Mono","Liberation Mono",monospace;margin:0;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
details summary{cursor:pointer;color:var(--chart-muted);font-size:12.5px}
dl{display:grid;grid-template-columns:fit-content(45%) minmax(0,1fr);gap:2px 16px;margin:0;font-size:12.5px}dt{color:var(--chart-muted)}dd{margin:0}
td.differs{background:var(--zebra);font-weight:600}td.bad{color:var(--bad)}
footer{color:var(--chart-muted);font-size:12px;margin-top:20px}
@media screen and (max-width:720px){main{padding:20px 12px 40px}section{padding:14px}.scroll>svg{width:860px;max-width:none}}
@media print{:root{${themeVariables(lightTheme)};--page:#fff;--card:#fff;--line:#ccd2d8;--warn:#8a5a00;--bad:#a3244f;--zebra:#fff}
 :root{color-scheme:light}
 body{font-size:11px}main{padding:0;max-width:none}nav{display:none}
 section{box-decoration-break:clone;padding:12px 14px;margin-top:10px}
 h2,h3,h4,section>p:not(:last-child),summary{break-after:avoid}svg,tr,li,.headline,p{break-inside:avoid}
 svg{max-height:225mm}.picture svg{max-height:150mm}.swatch{print-color-adjust:exact}
 .scroll{overflow:visible}table,dl,.badge{font-size:9px}.note,summary{font-size:10px}
 th,td{padding-right:6px;white-space:normal}td,:has(>.swatch){overflow-wrap:anywhere}
 td.first,:is(td,th):has(>.swatch){min-width:11ch}td.first,td.target,th.n,td.n,.badge{white-space:normal}td.n,.badge{overflow-wrap:normal}
 pre{overflow:visible}summary{list-style:none}details::details-content{content-visibility:visible;height:auto}}
`;
