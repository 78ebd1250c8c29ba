import { asWritten, cannot, partly, type Story } from './story.ts';

const load = 'document-bulk-insert';
const range = 'date-range';
const index = 'index-before-or-after';
const written = { experiment: load };

export const ravendb: Story = {
  id: 'ravendb-bottlenecks',
  title: 'Clients and a journal that limited RavenDB',
  year: '2020',
  source: 'RavenDB 4.2 and 5.0 on cloud machines and bare metal',
  told: '100,000 small documents took almost 12 minutes from a laptop 10,000 km away, 23 to 25 s from the same zone, and 13 s without the call to the database: more than half of the time made the data. Documents that were made once and sent over and over were three times as fast. With more clients, the journal of the server became the limit at last. Reads from memory reached 243,371 a second, reads from data larger than memory 15,394. A range of dates fell from 7,523 to 134 ms when an index kept dates as numbers instead of as text.',
  claims: [
    {
      what: 'Documents made once instead of in the loop',
      published: '3 times as fast',
      isFaster: true,
      press: { experiment: load },
      kept: { experiment: 'data-generation', from: 'inline', to: 'prepared' },
      note: 'The experiment with the figures has rows with names, references and a document. The no-op engine does nothing with them, so that its ratio is an upper bound.',
    },
    {
      what: 'The client without the call to the database',
      published: '23 to 25 → 13 s',
      isFaster: true,
      press: written,
      kept: null,
      note: 'The no-op engine is the client without a database.',
    },
    {
      what: 'Two client processes instead of one',
      published: 'clients were saturated while the server idled',
      isFaster: true,
      press: { experiment: 'finding-client-saturated' },
      kept: { experiment: 'finding-client-saturated', from: '1', to: '2' },
      note: 'The experiment reads by key. Where a second process brings more from the same server, one process was the limit.',
    },
    {
      what: 'A range of dates as numbers instead of as text',
      published: '7,523 → 134 ms',
      isFaster: true,
      press: { experiment: range },
      kept: null,
      note: 'RavenDB 4.2 turned a range over text into the list of its terms. The experiment has few and many distinct times.',
    },
    {
      what: 'Reads from all data instead of a small working set',
      published: '243,371 → 15,394 reads/s',
      isFaster: false,
      press: { experiment: 'working-set', size: 'published' },
      kept: null,
      note: 'Without a size the table of the experiment fits in memory.',
    },
  ],
  items: [
    asWritten('Documents from a client that is far away', written, 'ravendb', { step: 'from far away' }),
    asWritten('Documents from a client in the same zone', written, 'ravendb', { step: 'made in the loop' }),
    asWritten('The engine’s own bulk load', written, 'ravendb', { step: 'bulk load' }),
    asWritten('The client without the call to the database', written, undefined, { step: 'made in the loop' }),
    asWritten('Documents that are made once', written, 'ravendb', { step: 'made before' }),
    asWritten('Four connections', written, 'ravendb', { step: 'four connections' }),
    asWritten(
      'A second client on another machine',
      { experiment: load, set: ['factors.loadFrom=[load1, "load1, load2"]'] },
      'ravendb',
      { step: 'four connections', loadFrom: 'load1, load2' },
    ),
    asWritten('Up to 36 connections of a large client', { experiment: load, size: 'published' }, 'ravendb', {
      step: '36 connections, twelve processes',
    }),
    asWritten('Writes of the server’s journal beside the rate', written, 'ravendb'),
    partly(
      'Journals on another disk',
      written,
      'The disk belongs to the server; list two targets with different disks.',
      'ravendb',
    ),
    asWritten('The time that the client needs to serialise', written, 'ravendb'),
    asWritten('Reads of a small working set', { experiment: 'working-set' }, 'ravendb', { workingSet: 0.01 }),
    asWritten('Random reads of data larger than memory', { experiment: 'working-set', size: 'published' }, 'ravendb', {
      workingSet: 1,
    }),
    asWritten('Small writes', { experiment: 'update-pressure' }, 'ravendb', { workingSet: 1 }),
    asWritten('MB/s beside the rate of a load', written, 'ravendb'),
    asWritten('An index that exists during the load', { experiment: index }, 'ravendb', { indexes: 'before' }),
    asWritten('An index that is built afterwards', { experiment: index }, 'ravendb', { indexes: 'after' }),
    asWritten(
      'Map-reduce by month, simple by tag and full text at once',
      { experiment: index, size: 'three kinds at once' },
      'ravendb',
      {
        indexes: 'after',
      },
    ),
    asWritten('As many rows as the public dump had users', { experiment: index, size: 'published' }, 'ravendb'),
    asWritten('A range of dates stored as text', { experiment: range }, 'ravendb', { stored: 'ISO text' }),
    asWritten('A range of dates stored as numbers', { experiment: range }, 'ravendb', { stored: 'ticks' }),
    asWritten('Few and many distinct dates', { experiment: range }, 'ravendb', { distinctTimes: 1000 }),
    asWritten('The same answer from each way of storing dates', { experiment: range }, 'ravendb'),
    asWritten('Ranges over 5.9 million rows', { experiment: range, size: 'published' }, 'ravendb', {
      distinctTimes: 0,
    }),
    asWritten('Speed over stored bytes', written, 'ravendb'),
    cannot('Start-up and recovery after a kill with a large journal', 'Dyno measures no time of a server’s start.'),
  ],
};
