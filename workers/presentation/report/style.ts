import { darkTheme, lightTheme, themeVariables } from '../charts/kit/theme.ts';

const lightPage = '--page:#fff;--line:#dde2e7;--warn:#8a5a00;--bad:#a3244f;--zebra:#f3f5f8';
const darkPage = '--page:#14181c;--line:#2b3138;--warn:#e8bd45;--bad:#ff8fb1;--zebra:#1f252b';

/**
 * The style sheet of the report. It follows the reader's light or dark mode, and prints in light mode. On a phone
 * charts keep a readable size and scroll. The rules for print come last, because they override those above.
 */
export const style = `
:root{color-scheme:light dark;${themeVariables(lightTheme)};${lightPage}}
@media (prefers-color-scheme:dark){:root{${themeVariables(darkTheme)};${darkPage}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--chart-text);font:13px/1.45 ${lightTheme.font};overflow-wrap:break-word}
main{max-width:800px;margin:0 auto;padding:36px 24px 60px}
h1{font-size:26px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
.logo{float:right;margin:0 0 8px 24px;background:#fff;border-radius:4px}
.question{font-size:16px;color:var(--chart-muted);margin:0 0 8px}
.meta{color:var(--chart-muted);font-size:12px;margin:0}
a{color:inherit;text-decoration-color:var(--chart-muted);text-underline-offset:2px}
nav{margin:4px 0 0;font-size:12px;color:var(--chart-muted)}nav a{margin-right:12px;white-space:nowrap}
section{border-top:1px solid var(--line);padding-top:12px;margin-top:18px}
.appendix{margin-top:36px;border-top:3px solid var(--chart-text);padding-top:14px}
.appendix h1{font-size:20px}
h2{font-size:15px;line-height:1.3;margin:0 0 8px}
h3{font-size:13px;margin:14px 0 6px}h4{font-size:12px;margin:10px 0 4px}
p{margin:0 0 6px}
.note{color:var(--chart-muted);font-size:12px;text-wrap:pretty}
.user-note{white-space:pre-wrap}
.headline{font-size:20px;line-height:1.25;font-weight:600;letter-spacing:-.01em;margin:0 0 4px;text-wrap:balance}
.certainty{font-weight:600;margin:0 0 8px}
.grade{margin:0 0 8px}.grade strong{display:inline-block;border:1px solid currentColor;border-radius:4px;padding:0 6px;margin-right:4px}.grade .usable{color:var(--warn)}.grade .doNotQuote{color:var(--bad)}
.scroll{overflow-x:auto}.scroll+.note{margin-top:8px}
table{border-collapse:collapse;width:100%;font-size:11px;line-height:1.35;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600;color:var(--chart-muted);border-bottom:1px solid var(--chart-axis);padding:3px 8px 3px 0;vertical-align:bottom}
td{padding:3px 8px 3px 0;border-bottom:1px solid var(--line);vertical-align:top}
:is(th,td):last-child{padding-right:0}
th.n,td.n{text-align:right}
td.n{white-space:nowrap}td.n:has(>:is(.ratio-mark,.bad)),.n .interval{white-space:normal}
table.by-target td{min-width:9ch;overflow-wrap:anywhere}
tr.reference td{color:var(--chart-muted)}tr.reference :is(.faster,.slower){font-weight:400}
td.first{font-weight:600}
tr.group td{border-top:1px solid var(--chart-axis)}tr:has(>td.interval[colspan]){break-after:avoid}
.interval{color:var(--chart-muted)}.n .interval{display:block;font-size:10px}
.swatch{display:inline-block;width:9px;height:9px;border-radius:2px;margin:0 6px 0 -15px}:has(>.swatch){padding-left:15px}
.faster,.slower{font-weight:600}.none{color:var(--chart-muted)}
.caveats{list-style:none;margin:0;padding:0}.caveats li{padding:0 0 8px}.caveats p{margin:1px 0 0}
.kind{font-weight:600}.kind.warning{color:var(--warn)}.kind.error{color:var(--bad)}
.letter{display:inline-block;min-width:16px;margin-right:6px;border:1px solid var(--chart-axis);border-radius:3px;font-size:10px;line-height:14px;text-align:center}
.letters{color:var(--warn)}.where{color:var(--chart-muted)}
div.evidence{display:flex;gap:24px;align-items:flex-start;margin:4px 0}.evidence table{width:auto}.evidence td{border:0;padding:0 12px 0 0}
.unlike{color:var(--warn)}
svg{width:100%;height:auto;display:block}.picture.small{flex:0 0 300px}.picture svg{width:auto;max-width:100%;margin:0 0 6px}
svg.ratio-mark{width:96px;height:16px;margin-top:2px;stroke:var(--chart-muted);stroke-width:1.5;fill:var(--chart-muted)}.ratio-mark.differs{stroke:var(--chart-text);fill:var(--chart-text)}.ratio-mark .ratio-mark-one{stroke:var(--chart-axis);stroke-width:1}
pre{font:10.5px/1.4 ui-monospace,"Cascadia Mono","Liberation Mono",monospace;margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:fit-content(30%) minmax(0,1fr);gap:2px 16px;margin:0;font-size:12px}dt{color:var(--chart-muted)}dd{margin:0}
td.differs{background:var(--zebra);font-weight:600}.bad{color:var(--bad)}
@media screen and (max-width:720px){main{padding:20px 12px 40px}.scroll>svg,.picture svg{width:820px;max-width:none}.picture{overflow-x:auto}}
@page{margin:15mm 14mm 16mm;@bottom-right{content:counter(page) " / " counter(pages);font:9px ${lightTheme.font};color:#5b6570}}
@media print{:root{color-scheme:light;${themeVariables(lightTheme)};${lightPage}}
 body{font-size:11.5px}main{padding:0;max-width:none}
 section{margin-top:12px;padding-top:8px}h2{font-size:14px;margin-bottom:5px}
 h1,h2,h3,h4,section>p:not(:last-child){break-after:avoid}svg,tr,li,dt,dd,.headline,p{break-inside:avoid}.scroll>svg{max-height:235mm}
 .swatch,td.differs{print-color-adjust:exact}
 .scroll{overflow:visible}table{font-size:9.5px}.note,dl{font-size:10.5px}.n .interval{font-size:8.5px}
 td{overflow-wrap:break-word}.remark{min-width:22ch}.findings li{break-inside:auto}.evidence{break-inside:avoid}
 pre{font-size:8.5px}}
`;
