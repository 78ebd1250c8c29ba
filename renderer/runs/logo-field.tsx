import { type ChangeEvent, useRef, useState } from 'react';
import { mostLogoBytes } from '#protocol/report-choices.ts';
import { toBase64 } from '#stats/histogram/base64.ts';
import { Button } from '../ui/controls/button.tsx';

interface Props {
  /** The logo's file as base64. Null: there is none. */
  readonly logo: string | null;
  readonly onChange: (logo: string | null) => void;
}

/** Chooses the logo of reports. Dyno draws it anew when it makes the report, so that only a picture is left of it. */
export const LogoField = ({ logo, onChange }: Props) => {
  const file = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const pick = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [picked] = target.files ?? [];
    target.value = '';
    if (picked === undefined) return;
    const isSmall = picked.size > 0 && picked.size <= mostLogoBytes;
    setProblem(isSmall ? null : `The file has to have at most ${mostLogoBytes / 1_024} KiB.`);
    if (isSmall) onChange(toBase64(new Uint8Array(await picked.arrayBuffer())));
  };
  return (
    <div className="report-logo">
      <span className="label">Logo</span>
      <input
        ref={file}
        type="file"
        accept=".png,.svg,image/png,image/svg+xml"
        hidden
        aria-label="Logo file"
        onChange={(event) => void pick(event)}
      />
      {logo === null ? (
        <span className="muted">None</span>
      ) : (
        <img className="report-logo-picture" alt="Logo of the report" src={`data:${typeOf(logo)};base64,${logo}`} />
      )}
      <Button onPress={() => file.current?.click()}>Choose a PNG or SVG…</Button>
      {logo !== null && (
        <Button kind="quiet" onPress={() => onChange(null)}>
          Remove
        </Button>
      )}
      {problem !== null && (
        <span className="help help-problem" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
};

/** The first bytes of every PNG file as base64. */
const pngStart = 'iVBORw0KGgo';
const typeOf = (logo: string): string => (logo.startsWith(pngStart) ? 'image/png' : 'image/svg+xml');
