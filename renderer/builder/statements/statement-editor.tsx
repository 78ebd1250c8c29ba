import {
  autocompletion,
  type Completion,
  type CompletionContext,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  MSSQL,
  MySQL,
  PLSQL,
  PostgreSQL,
  type SQLDialect,
  SQLite,
  type SQLNamespace,
  StandardSQL,
  sql,
} from '@codemirror/lang-sql';
import { yaml } from '@codemirror/lang-yaml';
import { syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { looksLikeRequest } from '#model/statements/json-request.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { changeBetween } from '../yaml/text-change.ts';
import { colours } from '../yaml/yaml-editor.tsx';

const dialects: Readonly<Record<NonNullable<StatementLanguage['highlight']>, SQLDialect>> = {
  PostgreSQL,
  MySQL,
  MSSQL,
  SQLite,
  PLSQL,
};

/** The tables for completion. Tables of the default schema have plain names, others stand below their schema. */
function namespaceOf(tables: readonly UserTable[]): SQLNamespace {
  const found: Record<string, Record<string, readonly string[]> | readonly string[]> = {};
  for (const { schema, name, columns } of tables) {
    if (schema === null) found[name] = columns;
    else found[schema] = { ...(Array.isArray(found[schema]) ? {} : found[schema]), [name]: columns };
  }
  return found as SQLNamespace;
}

/** Completes {name} with the experiment's tables, and replaces a closing bracket that the editor has inserted. */
const placesOf = (names: readonly string[]) => {
  const apply = (view: EditorView, { label }: Completion, from: number, to: number) => {
    const end = view.state.sliceDoc(to, to + 1) === '}' ? to + 1 : to;
    view.dispatch({ changes: { from, to: end, insert: label }, selection: { anchor: from + label.length } });
  };
  const complete = (context: CompletionContext) => {
    const word = context.matchBefore(/\{\w*/);
    return word && { from: word.from, options: names.map((name) => ({ label: `{${name}}`, apply })) };
  };
  return EditorState.languageData.of(() => [{ autocomplete: complete }]);
};

/** The extensions that may change while the user types. */
const changeable = (now: Changeable) => [
  languageOf(now),
  placesOf(now.places),
  EditorView.contentAttributes.of({ 'aria-label': now.label, tabindex: '0' }),
];
type Changeable = Omit<Props, 'text' | 'onChange' | 'onLeave'> & { readonly json: boolean };

const isJson = ({ text, language }: Pick<Props, 'text' | 'language'>): boolean =>
  language?.language === 'json' || (language?.language === 'rql' && looksLikeRequest(text));

const languageOf = ({ language, tables, json }: Changeable) =>
  json // JSON is a subset of YAML
    ? yaml()
    : sql({ dialect: language?.highlight ? dialects[language.highlight] : StandardSQL, schema: namespaceOf(tables) });

interface Props {
  readonly label: string;
  readonly text: string;
  readonly language: StatementLanguage | undefined;
  readonly tables: readonly UserTable[];
  /** Marks names of the experiment's tables in statement texts. */
  readonly places: readonly string[];
  readonly onChange: (text: string) => void;
  readonly onLeave?: (() => void) | undefined;
}

/** The editor of a statement's text. Tab leaves the editor, so that keyboard users are not trapped. */
export const StatementEditor = ({ label, text, language, tables, places, onChange, onLeave }: Props) => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const [compartment] = useState(() => new Compartment());
  const latest = useRef({ text, onChange, onLeave, label, language, tables, places });
  latest.current = { text, onChange, onLeave, label, language, tables, places };

  useEffect(() => {
    if (!host.current) return;
    const first = latest.current;
    const mine = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: first.text,
        extensions: [
          history(),
          drawSelection(),
          EditorView.lineWrapping,
          closeBrackets(),
          compartment.of(changeable({ ...first, json: isJson(first) })),
          syntaxHighlighting(colours),
          autocompletion({ icons: false }),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.updateListener.of((update) => {
            const next = update.state.doc.toString();
            if (update.docChanged && next !== latest.current.text) latest.current.onChange(next);
            if (update.focusChanged && !update.view.hasFocus) latest.current.onLeave?.();
          }),
        ],
      }),
    });
    view.current = mine;
    return () => {
      view.current = null;
      mine.destroy();
    };
  }, [compartment]);

  const json = isJson({ text, language });
  // Reconfigures the editor instead of replacing it, which would lose focus and input.
  useEffect(() => {
    view.current?.dispatch({ effects: compartment.reconfigure(changeable({ label, language, tables, places, json })) });
  }, [compartment, label, language, tables, places, json]);

  // The YAML editor may have changed the text.
  useEffect(() => {
    const now = view.current;
    const change = now && changeBetween(now.state.doc.toString(), text);
    if (now && change) now.dispatch({ changes: change });
  }, [text]);

  return <div ref={host} className="statement-editor" />;
};
