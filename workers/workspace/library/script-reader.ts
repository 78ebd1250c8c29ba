import { extentOf, firstWordsOf, hasCode } from '#model/statements/statement-extent.ts';
import { partsOf, type StatementLanguage } from '#model/statements/statement-text.ts';
import { oldRandom, type RandomInteger, type ScriptValue, scriptValue, usualIn } from './script-values.ts';

/** A statement of a script, or a pause. */
type ScriptItem =
  | { readonly kind: 'statement'; readonly text: string; readonly line: number; readonly times: number }
  | { readonly kind: 'pause'; readonly ms: number };

/** A part of a script that an experiment cannot contain. */
interface LeftOut {
  readonly line: number;
  /** Its first words and the reason, as a sentence without its full stop. */
  readonly words: string;
  readonly why: string;
}

/** A script that was converted to an experiment. */
export interface Script {
  readonly items: readonly ScriptItem[];
  /** Numbers that the script draws, by their names; all later statements share them. */
  readonly drawn: Readonly<Record<string, RandomInteger>>;
  readonly left: readonly LeftOut[];
  /** Remarks for the reader, as sentences without full stops. */
  readonly notes: readonly string[];
}

const mostText = 60;

/** Reads a script as its product's own client does: at most `most` statements, plus one if there are more. */
export function readScript(script: string, language: StatementLanguage, most: number): Script {
  return new Reader(script.replaceAll(/\r\n?/g, '\n'), language, most).read();
}

class Reader {
  readonly #text: string;
  readonly #language: StatementLanguage;
  readonly #most: number;
  readonly #items: ScriptItem[] = [];
  readonly #left: LeftOut[] = [];
  readonly #notes = new Set<string>();
  readonly #values = new Map<string, ScriptValue>();
  #statements = 0;
  #at = 0;
  #delimiter: string | null = null;
  /** Enclosing conditions of the client. */
  #branches = 0;
  /** Statements of the current batch, for a line that repeats them. */
  #batch: number[] = [];
  /** The end of the batch that contains `from`; null if no line ends it. */
  #knownEnd: { readonly from: number; readonly end: number | null } | null = null;

  constructor(text: string, language: StatementLanguage, most: number) {
    this.#text = text;
    this.#language = language;
    this.#most = most;
  }

  read(): Script {
    while (this.#statements <= this.#most) {
      const from = this.#at;
      const place = this.#codeAt(from);
      const isCarriedOut = this.#carriedOut(from, place?.code ?? this.#text.length);
      if (place === null) break;
      const { start, code } = place;
      if (this.#isFirstOfLine(code) && this.#line(code)) {
        if (this.#at === this.#text.length) break;
        continue;
      }
      this.#statement(isCarriedOut ? code : start, code);
    }
    const drawn = [...this.#values].flatMap(([name, value]) => (value.kind === 'random' ? [[name, value.spec]] : []));
    return {
      items: this.#items,
      drawn: Object.fromEntries(drawn),
      left: this.#left,
      notes: [...this.#notes],
    };
  }

  #pattern(
    name:
      | 'batchEnd'
      | 'delimiter'
      | 'command'
      | 'shows'
      | 'sets'
      | 'sleeps'
      | 'ends'
      | 'runs'
      | 'branches'
      | 'rowsFollow',
  ) {
    const pattern = this.#language.scripts?.[name];
    return pattern === undefined ? null : new RegExp(pattern, 'i');
  }

  #lineAt = (at: number): number => this.#text.slice(0, at).split('\n').length;

  #leave(at: number, words: string, why: string): void {
    const short = words.trim().split('\n', 1)[0]!;
    this.#left.push({
      line: this.#lineAt(at),
      words: short.length > mostText ? `${short.slice(0, mostText)}…` : short,
      why,
    });
  }

  #isFirstOfLine(at: number): boolean {
    return /^[ \t]*$/.test(this.#text.slice(this.#text.lastIndexOf('\n', at - 1) + 1, at));
  }

  /**
   * The first code from here on, behind spaces, comments and semicolons, and where the comments begin that belong to
   * it; null: there is none.
   */
  #codeAt(from: number): { readonly start: number; readonly code: number } | null {
    let start = from;
    for (let at = from; at < this.#text.length; ) {
      const space = /^[\s;]+/.exec(this.#text.slice(at, at + 1_000))?.[0] ?? '';
      at += space.length;
      if (space.includes(';')) start = at;
      if (space !== '') continue;
      const length = commentAt(this.#text, at, this.#language);
      if (length === 0) return { start, code: at };
      at += length;
    }
    return null;
  }

  /** Reports comments that the server executes, and returns true if there are any. */
  #carriedOut(from: number, to: number): boolean {
    const { scripts } = this.#language;
    if (!scripts?.carriedOut) return false;
    const found = placed(this.#text.slice(from, to), this.#language).filter(
      ({ text, isCode }) => !isCode && new RegExp(scripts.carriedOut!).test(text),
    );
    for (const { text, at } of found) this.#leave(from + at, text, 'a comment that the server carries out');
    return found.length > 0;
  }

  /** Reads a command of the client. Returns false if the line is none. */
  #line(at: number): boolean {
    const newline = this.#text.indexOf('\n', at);
    const end = newline === -1 ? this.#text.length : newline;
    const line = this.#text.slice(at, end).trimEnd();
    const past = () => {
      this.#at = Math.min(end + 1, this.#text.length);
      return true;
    };
    const batch = this.#pattern('batchEnd')?.exec(line);
    if (batch) {
      this.#repeat(Number(batch.groups?.times ?? 1));
      return past();
    }
    const delimiter = this.#pattern('delimiter')?.exec(line)?.groups?.end;
    if (delimiter !== undefined) {
      this.#delimiter = delimiter === ';' ? null : delimiter;
      return past();
    }
    if (!this.#pattern('command')?.test(line)) return false;
    this.#command(at, line);
    past();
    if (this.#pattern('ends')?.test(line)) this.#at = this.#text.length;
    return true;
  }

  #command(at: number, line: string): void {
    const { client = '' } = this.#language.scripts ?? {};
    if (this.#pattern('ends')?.test(line) || this.#pattern('shows')?.test(line)) {
      this.#notes.add(`commands of ${client} that change no statement were left out`);
      return;
    }
    const sleep = this.#pattern('sleeps')?.exec(line)?.groups;
    if (sleep) {
      const unit = { us: 0.001, ms: 1 }[sleep.unit ?? ''] ?? 1_000;
      this.#items.push({ kind: 'pause', ms: Number(sleep.time) * unit });
      return;
    }
    const set = this.#pattern('sets')?.exec(line)?.groups;
    const name = set?.name ?? set?.random;
    if (set && name !== undefined) {
      const value =
        set.random === undefined
          ? scriptValue(set.value ?? '', this.#values)
          : oldRandom(set.value ?? '', this.#values);
      for (const note of usualIn(set.value ?? '')) this.#notes.add(note);
      if (value.kind === 'unknown') this.#leave(at, line, value.why);
      else if (this.#values.get(name)?.kind === 'random' && this.#statements > 0)
        this.#leave(at, line, `:${name} is drawn once for all statements`);
      this.#values.set(
        name,
        this.#values.get(name)?.kind === 'random' && this.#statements > 0 ? this.#values.get(name)! : value,
      );
      return;
    }
    const call = this.#pattern('runs')?.exec(line)?.groups?.call;
    if (call !== undefined && /^:\w+\s*:=/.test(call)) {
      this.#leave(at, line, 'it gives a variable of the client a value');
      return;
    }
    if (call !== undefined) {
      this.#add(at, `BEGIN ${call}; END;`);
      return;
    }
    const branch = this.#pattern('branches')?.exec(line)?.groups;
    if (branch?.opens) this.#branches++;
    if (branch?.closes) this.#branches = Math.max(0, this.#branches - 1);
    this.#leave(at, line, `a command of ${client}, which Dyno does not carry out`);
  }

  #repeat(times: number): void {
    if (times > 1)
      for (const index of this.#batch) {
        const item = this.#items[index]!;
        if (item.kind === 'statement') this.#items[index] = { ...item, times };
      }
    this.#batch = [];
  }

  /** Reads a statement from its first comment on. */
  #statement(start: number, code: number): void {
    const to = this.#batchEnds(code) ?? this.#text.length;
    const { end, skip, sent } = inPieces(this.#text, code, to, (rest) => this.#extentIn(rest));
    const own = this.#text.slice(code, code + end);
    this.#at = code + end + skip;
    if (sent) this.#leave(code, `${own.trim().split('\n', 1)[0]} ${sent}`, `its answer goes to ${sent}`);
    else if (this.#pattern('rowsFollow')?.test(own)) this.#rows(code, own);
    else {
      const text = `${this.#text.slice(start, code)}${own}`;
      if (hasCode(text, this.#language)) this.#add(code, text);
    }
  }

  /** Skips the rows behind a statement. */
  #rows(at: number, statement: string): void {
    const newline = this.#text.indexOf('\n', this.#at);
    const from = newline === -1 ? this.#text.length : newline + 1;
    const last = /^\\\.$/m.exec(this.#text.slice(from));
    const rows = this.#text.slice(from, last ? from + last.index : undefined);
    this.#at = last ? from + last.index + last[0].length : this.#text.length;
    const count = rows === '' ? 0 : rows.replace(/\n$/, '').split('\n').length;
    this.#leave(at, statement, `its ${count === 1 ? 'row is' : `${count} rows are`} in the script: load them before`);
  }

  /** The next line that ends the batch; null if there is none. The statements of a batch share one search. */
  #batchEnds(from: number): number | null {
    const known = this.#knownEnd;
    if (known === null || from < known.from || (known.end !== null && from >= known.end))
      this.#knownEnd = { from, end: this.#findBatchEnd(from) };
    return this.#knownEnd!.end;
  }

  #findBatchEnd(from: number): number | null {
    const pattern = this.#pattern('batchEnd');
    if (!pattern) return null;
    const find = (rest: string) => {
      for (const { text, at, isCode } of placed(rest, this.#language))
        for (const { index } of isCode ? text.matchAll(/\S+/g) : []) {
          const start = rest.lastIndexOf('\n', at + index) + 1;
          const end = rest.indexOf('\n', start);
          const isFirst = start > 0 && rest.slice(start, at + index).trim() === '';
          if (isFirst && pattern.test(rest.slice(start, end === -1 ? undefined : end)))
            return { end: start, found: true };
        }
      return { end: rest.length, found: false };
    };
    const { end, found } = inPieces(this.#text, from, this.#text.length, find);
    return found ? from + end : null;
  }

  /** The end of the first statement, and the text behind it that belongs to no other. */
  #extentIn(rest: string): Extent {
    const { scripts, wholeTexts } = this.#language;
    const sent = this.#sentAt(rest);
    if (sent) return sent;
    if (this.#delimiter !== null) {
      for (const { text, at, isCode } of placed(rest, this.#language)) {
        const found = isCode ? text.indexOf(this.#delimiter) : -1;
        if (found >= 0) return { end: at + found, skip: this.#delimiter.length };
      }
      return { end: rest.length, skip: 0 };
    }
    if (scripts?.variable && declaresVariable(rest, this.#language)) return { end: rest.length, skip: 0 };
    let language = this.#language;
    if (scripts?.delimiter && wholeTexts !== undefined) {
      // A definition without a body ends at its semicolon where no DELIMITER is set, as in the client.
      if (new RegExp(wholeTexts).test(firstWordsOf(rest, language))) {
        const end = bodyEnd(rest, language);
        if (end !== null) return { end, skip: rest[end] === ';' ? 1 : 0 };
      }
      const { wholeTexts: _, ...byClient } = language;
      language = byClient;
    }
    const { end } = extentOf(rest, language);
    return { end, skip: rest[end] === ';' ? 1 : 0 };
  }

  /** The extent of a statement that a command of the client ends, before any semicolon. */
  #sentAt(rest: string): Extent | null {
    const pattern = this.#language.scripts?.sends;
    if (pattern === undefined) return null;
    for (const { text, at, isCode } of placed(rest, this.#language)) {
      if (!isCode) continue;
      const found = new RegExp(pattern).exec(text);
      if (text.slice(0, found?.index).includes(this.#delimiter ?? ';')) return null;
      if (!found) continue;
      const end = at + found.index;
      const more = found.groups?.more;
      if (more === undefined) return { end, skip: found[0].length };
      const newline = rest.indexOf('\n', end);
      const words = rest.slice(end, newline === -1 ? undefined : newline).trimEnd();
      return { end, skip: words.length, sent: words };
    }
    return null;
  }

  #add(at: number, text: string): void {
    if (this.#branches > 0) {
      this.#leave(at, text.slice(Math.max(0, text.search(/\S/))), 'the client runs it on a condition');
      return;
    }
    const { missing, made } = this.#withValues(text);
    if (missing !== null) {
      this.#leave(at, text.slice(Math.max(0, text.search(/\S/))), `${missing} has no value in the script: write :name`);
      return;
    }
    const trimmed = made.replace(/^[\s;]+|\s+$/g, '');
    this.#batch.push(this.#items.length);
    this.#items.push({ kind: 'statement', text: trimmed, line: this.#lineAt(at), times: 1 });
    this.#statements++;
  }

  /** The text with the values of the client's variables; `missing`: the position of an unset variable. */
  #withValues(text: string): { readonly made: string; readonly missing: string | null } {
    const places = this.#language.scripts?.places;
    let missing: string | null = null;
    if (places !== undefined) {
      const made = text.replaceAll(new RegExp(places, 'g'), (place: string, name: string) => {
        const value = this.#values.get(name) ?? this.#values.get(name.toLowerCase());
        if (value?.kind === 'text') return value.text;
        missing ??= place;
        return place;
      });
      return { made, missing };
    }
    if (!this.#language.scripts?.sets) return { made: text, missing };
    const parts = partsOf(text, this.#language);
    const made = parts.map((part, i) => {
      if (part.kind === 'parameter') {
        const value = this.#values.get(part.name);
        if (value?.kind === 'unknown') missing ??= `:${part.name}`;
        return value?.kind === 'text' ? value.text : `:${part.name}`;
      }
      if (part.kind === 'table') return `{${part.name}}`;
      const before = parts[i - 1];
      // psql's :'name' and :"name".
      const quoted =
        part.kind === 'quoted' &&
        /^['"]\w+['"]$/.test(part.text) &&
        before?.kind === 'code' &&
        /(?<!:):$/.test(before.text);
      if (quoted) {
        const value = this.#values.get(part.text.slice(1, -1));
        const sign = part.text[0]!;
        if (value?.kind === 'text') return `${sign}${value.text.replaceAll(sign, sign + sign)}${sign}`;
        missing ??= `:${part.text}`;
      }
      const next = parts[i + 1];
      const isPrefix =
        part.kind === 'code' &&
        next?.kind === 'quoted' &&
        /(?<!:):$/.test(part.text) &&
        /^['"]\w+['"]$/.test(next.text);
      return isPrefix ? part.text.slice(0, -1) : part.text;
    });
    return { made: made.join(''), missing };
  }
}

interface Extent {
  readonly end: number;
  readonly skip: number;
  /** The command of the client that takes the answer. */
  readonly sent?: string;
}

/** A part of a text with its position. */
interface Placed {
  readonly text: string;
  readonly at: number;
  readonly isCode: boolean;
}

function placed(text: string, language: StatementLanguage): readonly Placed[] {
  let at = 0;
  return partsOf(text, language).map((part) => {
    const own = part.kind === 'parameter' ? `:${part.name}` : part.kind === 'table' ? `{${part.name}}` : part.text;
    at += own.length;
    return { text: own, at: at - own.length, isCode: part.kind === 'code' };
  });
}

const firstPiece = 4_096;
/** The words that may follow an end and decide about it. */
const lookAhead = 256;

/** Searches for an end in a part of the text, and in longer parts until the end is well inside. */
function inPieces<E extends { readonly end: number }>(
  text: string,
  from: number,
  to: number,
  find: (rest: string) => E,
): E {
  for (let size = firstPiece; ; size *= 4) {
    const rest = text.slice(from, Math.min(from + size, to));
    const found = find(rest);
    if (from + size >= to || found.end + lookAhead < rest.length) return found;
  }
}

/** The end of a definition with a body BEGIN … END; null if it has none before its first semicolon. */
function bodyEnd(rest: string, language: StatementLanguage): number | null {
  let depth = 0;
  for (const { text, at, isCode } of placed(rest, language))
    for (const { 0: word, index } of isCode
      ? text.matchAll(/\bend\s+(?:if|while|loop|repeat|for)\b|\bend(?:\s+case)?\b|\b(?:begin|case)\b|;/gi)
      : []) {
      const said = word.toLowerCase();
      if (said === ';') {
        if (depth > 0) continue;
        return null;
      }
      if (/^end\s+(if|while|loop|repeat|for)$/.test(said)) continue;
      depth += said.startsWith('end') ? -1 : 1;
      if (depth === 0) return at + index + word.length;
    }
  return depth > 0 ? rest.length : null;
}

/** The length of a comment that begins here; 0 if there is none. */
function commentAt(text: string, at: number, language: StatementLanguage): number {
  const sign = /^(--|#|\/\*)/.exec(text.slice(at, at + 2))?.[0];
  if (sign === undefined) return 0;
  const end = text.indexOf(sign === '/*' ? '*/' : '\n', at);
  const short = text.slice(at, end === -1 ? undefined : end + 2);
  const nests = sign === '/*' && language.quoting?.includes('nested') && short.includes('/*', 2);
  const [first] = partsOf(nests ? text.slice(at) : short, language);
  return first?.kind === 'quoted' ? first.text.length : 0;
}

const declaresVariable = (batch: string, language: StatementLanguage): boolean =>
  placed(batch, language).some(({ text, isCode }) => isCode && /\bdeclare\s+@/i.test(text));
