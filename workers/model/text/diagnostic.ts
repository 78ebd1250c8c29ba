import type { Path } from './path-text.ts';
import { oneLine } from './printable.ts';

/** A change of the file that removes a problem: a value set (undefined: removed), a key renamed, or several changes. */
export type Fix =
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly kind: 'rename'; readonly path: Path; readonly name: string }
  | { readonly kind: 'several'; readonly fixes: readonly Fix[] };

/** A problem with a path, before its position is known. */
export interface Problem {
  /** Absent: an error. */
  readonly severity?: 'warning';
  readonly path: Path;
  /** The place of the problem: the key (or its missing value), or the value. Absent: the value. */
  readonly at?: 'key' | 'value';
  readonly message: string;
  readonly suggestion: string | null;
  /** Undefined if only the user can decide. */
  readonly fix?: Fix | undefined;
}

/** A problem of an experiment file with its position. Lines and columns count from 1. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Path of keys, e.g. "factors.method[2]". */
  readonly path: string;
  readonly message: string;
  /** "Did you mean …?" */
  readonly suggestion: string | null;
  /** Undefined if only the user can decide. */
  readonly fix?: Fix | undefined;
}

/** Diagnostics in the order of the file. */
export const inOrder = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column);

/** "12:3 workload.conections: unknown key. Did you mean …?" */
export const diagnosticLine = ({ line, column, path, message, suggestion }: Diagnostic): string =>
  oneLine(`${line}:${column} ${path ? `${path}: ` : ''}${message}${suggestion ? ` ${suggestion}` : ''}`);
