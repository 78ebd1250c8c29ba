import { useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';

interface Props {
  readonly label: string;
  readonly text: string;
}

/** Text with a button that copies it. */
export const CopyBox = ({ label, text }: Props) => {
  const box = useRef<HTMLPreElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    const selection = window.getSelection();
    if (!box.current || !selection) return;
    selection.selectAllChildren(box.current);
    // execCommand copies at once, and needs no permission.
    setCopied(document.execCommand('copy'));
    selection.removeAllRanges();
  };
  return (
    <div className="copy-box">
      <div className="copy-box-head">
        <span className="label">{label}</span>
        <Button kind="quiet" icon={isCopied ? 'check' : 'copy'} onPress={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="copy-box-text" aria-label={label} tabIndex={0}>
        <pre ref={box} className="mono">
          {text}
        </pre>
      </section>
    </div>
  );
};
