import { isYes, type Rule } from './found.ts';

/** The address of a SQL Server as its own clients take it: tcp:host,port or host\instance. */
export const serverOf: Exclude<Rule, string> = (text) => {
  if (/^(np|lpc):/i.test(text))
    return { problem: 'Dyno reaches SQL Server over TCP, not by named pipes or shared memory.' };
  const [address = '', port] = text.replace(/^tcp:/i, '').split(',', 2);
  const [host = '', instance] = address.trim().split('\\', 2);
  const name = host === '.' || /^\(local(db)?\)$/i.test(host) ? 'localhost' : host;
  const hasPort = port !== undefined && /^\d{1,5}$/.test(port.trim());
  return {
    values: {
      host: name,
      ...(hasPort ? { port: Number(port) } : instance !== undefined && { instance }),
    },
  };
};

/** Encrypt as Microsoft's drivers have it. */
export const encryptOf: Exclude<Rule, string> = (text) =>
  /^strict$/i.test(text)
    ? { values: { encrypt: 'strict' } }
    : { values: { encrypt: /^(optional)$/i.test(text) || isYes(text) === false ? 'false' : 'true' } };

/** A login without a password of its own. */
export const integratedNote = {
  note: 'Integrated login (Windows, Kerberos) is not taken over: give a user and a password.',
};
