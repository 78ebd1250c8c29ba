import { type AddressInfo, createServer, type Socket } from 'node:net';
import { openHighResolutionTimer } from '#runner/timing/high-resolution-timer.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { drawService, type RequestLog, type ServicePlan, workTable } from './service-plan.fixture.ts';

/**
 * A process that speaks the part of PostgreSQL's protocol that `pg` needs (manual, "Message Formats"), and answers
 * statements about the table `workTable` after service times that it draws itself. Requests wait for one of its servers
 * in the order of their arrival, as in the queues of the textbooks. All other statements are answered at once.
 */
const plan = JSON.parse(process.argv[2]!) as ServicePlan;
const random = new Sfc32(plan.seed);
const timer = await openHighResolutionTimer();

const log: RequestLog = { arrivedNs: [], serviceMs: [], sentNs: [] };
/** The time at which each server becomes free. */
const freeMs = Array.from({ length: plan.servers }, () => 0);
/** Answers by the time at which they are due, the earliest first. */
const pending: { readonly dueMs: number; readonly request: number; readonly answer: () => void }[] = [];

const nowNs = () => Number(process.hrtime.bigint());

function serve(answer: () => void): void {
  const now = performance.now();
  const request = log.arrivedNs.push(nowNs()) - 1;
  if (request === plan.stall?.atRequest)
    for (const [i, free] of freeMs.entries()) freeMs[i] = Math.max(now, free) + plan.stall.ms;
  const serviceMs = drawService(plan, random);
  log.serviceMs.push(serviceMs);
  log.sentNs.push(Number.NaN);
  const server = freeMs.indexOf(Math.min(...freeMs));
  const dueMs = Math.max(now, freeMs[server]!) + serviceMs;
  freeMs[server] = dueMs;
  const after = pending.findLastIndex((one) => one.dueMs <= dueMs);
  pending.splice(after + 1, 0, { dueMs, request, answer });
  if (after === -1) timer.setAt(dueMs);
}

timer.onExpiry = () => {
  while (pending[0] !== undefined && pending[0].dueMs <= performance.now()) {
    const { request, answer } = pending.shift()!;
    log.sentNs[request] = nowNs();
    answer();
  }
  if (pending[0] !== undefined) timer.setAt(pending[0].dueMs);
};

const int16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255]);
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value)]);
const text = (value: string) => Buffer.from(`${value}\0`);
const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
};

const ready = message('Z', Buffer.from('I'));
const value = Buffer.from('170000');
const rowDescription = message('T', int16(1), text('n'), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0));
const row = message('D', int16(1), int32(value.length), value);
const complete = message('C', text('SELECT 1'));
const greeting = Buffer.concat([
  message('R', int32(0)),
  message('S', text('server_version'), text('17.0')),
  message('S', text('client_encoding'), text('UTF8')),
  message('K', int32(process.pid), int32(0)),
  ready,
]);
const sslRequest = 80_877_103;
const cancelRequest = 80_877_102;

/** One client's connection. */
class Conversation {
  readonly #socket: Socket;
  #bytes = Buffer.alloc(0);
  #greeted = false;
  /** Texts of prepared statements by name, and the answers since the last Sync. */
  readonly #statements = new Map<string, string>();
  #answers: Buffer[] = [];
  #bound = '';
  #isWork = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', () => socket.destroy());
  }

  #take(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const head = this.#greeted ? 1 : 0;
      if (this.#bytes.length < head + 4) return;
      const length = this.#bytes.readInt32BE(head) + head;
      if (this.#bytes.length < length) return;
      const body = this.#bytes.subarray(head + 4, length);
      const type = this.#greeted ? String.fromCharCode(this.#bytes[0]!) : null;
      this.#bytes = this.#bytes.subarray(length);
      if (type === null) this.#greet(body.readInt32BE(0));
      else this.#handle(type, body);
    }
  }

  #greet(code: number): void {
    if (code === sslRequest) this.#socket.write('N');
    else if (code === cancelRequest) this.#socket.end();
    else {
      this.#greeted = true;
      this.#socket.write(greeting);
    }
  }

  #handle(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString('latin1').split('\0');
    switch (type) {
      case 'Q':
        this.#isWork = first.includes(workTable);
        this.#answers.push(rowDescription, row, complete);
        this.#flush();
        return;
      case 'P':
        this.#statements.set(first, second);
        this.#answers.push(message('1'));
        return;
      case 'B':
        this.#bound = this.#statements.get(second) ?? '';
        this.#answers.push(message('2'));
        return;
      case 'D':
        this.#answers.push(...(first[0] === 'S' ? [message('t', int16(0))] : []), rowDescription);
        return;
      case 'E':
        this.#isWork ||= this.#bound.includes(workTable);
        this.#answers.push(row, complete);
        return;
      case 'C':
        this.#answers.push(message('3'));
        return;
      case 'S':
        this.#flush();
        return;
      case 'X':
        this.#socket.end();
    }
  }

  /** Sends the requested answers; work is answered after its service time. */
  #flush(): void {
    const answer = Buffer.concat([...this.#answers, ready]);
    const isWork = this.#isWork;
    this.#answers = [];
    this.#isWork = false;
    if (isWork) serve(() => this.#socket.write(answer));
    else this.#socket.write(answer);
  }
}

const listener = createServer({ noDelay: true }, (socket) => new Conversation(socket));
listener.listen(0, '127.0.0.1', () => process.send?.((listener.address() as AddressInfo).port));
process.on('message', () => process.send?.(log));
process.on('disconnect', () => process.exit());
