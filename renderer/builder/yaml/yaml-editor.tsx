import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic as LintMark, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { useStore } from '../../state/store.ts';
import { draft, setText } from '../draft/draft-store.ts';
import { setOpenEditor, takeOffScreen } from './open-editor.ts';
import { completeKeys } from './schema-completion.ts';
import { changeBetween } from './text-change.ts';

let view: EditorView | null = null;
/** The editor's state when the user left its page. It keeps cursor and undo history for the next visit. */
let kept: { readonly key: number; readonly state: EditorState } | null = null;

export const undoEdit = (): void => void (view && undo(view));
export const redoEdit = (): void => void (view && redo(view));

function replace(changed: EditorView, text: string): void {
  const change = changeBetween(changed.state.doc.toString(), text);
  if (change) changed.dispatch({ changes: change, userEvent: 'input.form' });
}

function show(shown: EditorView, problem: Diagnostic): void {
  const at = offset(shown.state.doc, problem.line, problem.column);
  shown.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  shown.focus();
}

function offset(doc: Text, line: number, column: number): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(found.from + Math.max(column - 1, 0), found.to);
}

const markOf = (doc: Text, problem: Diagnostic): LintMark => ({
  from: offset(doc, problem.line, problem.column),
  to: Math.max(offset(doc, problem.endLine, problem.endColumn), offset(doc, problem.line, problem.column)),
  severity: problem.severity,
  message: problem.suggestion ? `${problem.message} ${problem.suggestion}` : problem.message,
});

export const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.typeName], color: 'var(--text)', fontWeight: '600' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--text)', fontWeight: '600' },
  { tag: [tags.string, tags.content, tags.number, tags.bool], color: 'var(--code-value)' },
  { tag: tags.comment, color: 'var(--text-3)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-3)' },
]);

function stateOf(text: string): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      indentOnInput(),
      EditorView.lineWrapping,
      closeBrackets(),
      yaml(),
      syntaxHighlighting(colours),
      autocompletion({ override: [completeKeys], icons: false }),
      keymap.of([
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
        indentWithTab,
      ]),
      EditorState.tabSize.of(2),
      EditorView.contentAttributes.of({ 'aria-label': 'Experiment file (YAML)', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) setText(update.state.doc.toString());
      }),
    ],
  });
}

export const YamlEditor = () => {
  const host = useRef<HTMLDivElement>(null);
  const now = useStore(draft);
  const key = now?.key;

  useEffect(() => {
    const d = draft.get();
    if (!host.current || !d || d.key !== key) return;
    const missed = takeOffScreen(d.key);
    const text = missed[0]?.before ?? d.text;
    const state = kept?.key === key && kept.state.doc.toString() === text ? kept.state : stateOf(text);
    const mine = new EditorView({ parent: host.current, state });
    view = mine;
    for (const { after } of missed) replace(mine, after);
    setOpenEditor({ replace: (text) => replace(mine, text), show: (problem) => show(mine, problem) });
    return () => {
      kept = { key: d.key, state: mine.state };
      if (view === mine) {
        view = null;
        setOpenEditor(null);
      }
      mine.destroy();
    };
  }, [key]);

  // The effect also runs for a new editor, which has no marks yet.
  useEffect(() => {
    if (view && key !== undefined && now?.checked && now.checkedText === view.state.doc.toString()) {
      const { doc } = view.state;
      view.dispatch(
        setDiagnostics(
          view.state,
          now.checked.diagnostics.map((problem) => markOf(doc, problem)),
        ),
      );
    }
  }, [key, now?.checked, now?.checkedText]);

  return <div ref={host} className="yaml-editor" />;
};
