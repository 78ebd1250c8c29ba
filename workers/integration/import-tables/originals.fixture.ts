import { Sfc32 } from '#stats/random/random.ts';

type Cell = string | number | null;

/** A table of an original, in SQL that PostgreSQL and MariaDB share; `{time}` is their type of times. */
interface Original {
  readonly definition: string;
  readonly indexes: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A schema with its rows. Tables come after those to which they refer. */
export interface OriginalSchema {
  readonly tables: Readonly<Record<string, Original>>;
  /** Statements behind the rows: statistics of several columns. */
  readonly statistics: Readonly<Partial<Record<string, readonly string[]>>>;
}

const day = (days: number): string => new Date(Date.UTC(2023, 0, 1) + days * 86_400_000).toISOString().slice(0, 10);
const time = (seconds: number): string =>
  new Date(Date.UTC(2023, 0, 1) + seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');

/** Rank r of n, in proportion to 1 / r^exponent. */
function ranks(n: number, exponent: number): (unit: number) => number {
  const sums: number[] = [];
  let sum = 0;
  for (let r = 1; r <= n; r++) {
    sum += r ** -exponent;
    sums.push(sum);
  }
  return (unit) => sums.findIndex((one) => one >= unit * sum);
}

const normal = (random: Sfc32): number =>
  Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());

/**
 * A shop with skewed and correlated columns: the region follows from the city, times follow the keys, customers and
 * products have favourites, amounts are log-normal.
 */
export function shop(size: number): OriginalSchema {
  const random = new Sfc32(20_240_131);
  const [customers, products, orders] = [5_000 * size, 500, 20_000 * size];
  const [cityOf, segmentOf, statusOf] = [ranks(120, 1.1), ranks(3, 1.5), ranks(5, 1.8)];
  const [customerOf, productOf, quantityOf] = [ranks(customers, 0.7), ranks(products, 0.9), ranks(12, 1.4)];
  const statuses = ['delivered', 'shipped', 'returned', 'open', 'lost'];
  const regions = ['north', 'south', 'east', 'west', 'coast', 'islands'];
  const city = (c: number) => `city-${String.fromCharCode(97 + (c % 26))}${'o'.repeat(1 + (c % 7))}${c}`;
  const scattered = (n: number, r: number) => ((r * 7_919) % n) + 1;
  const customerRows = Array.from({ length: customers }, (_, i): Cell[] => {
    const c = cityOf(random.unit());
    return [
      i + 1,
      city(c),
      regions[c % regions.length]!,
      'ABC'[segmentOf(random.unit())]!,
      day(Math.max(-30_000, Math.round(-14_000 + 4_000 * normal(random)))),
      `user${i * 37}.${'x'.repeat(random.below(12))}@example.com`,
      random.unit() < 0.2 ? null : Math.round(Math.exp(3 + normal(random))),
    ];
  });
  const productRows = Array.from({ length: products }, (_, i): Cell[] => [
    i + 1,
    `category ${String.fromCharCode(65 + ranks(15, 1)(random.unit()))}`,
    Math.round(Math.exp(3 + 0.8 * normal(random)) * 100) / 100,
  ]);
  const orderRows = Array.from({ length: orders }, (_, i): Cell[] => [
    i + 1,
    scattered(customers, customerOf(random.unit())),
    time(i * (40_000_000 / orders) + random.below(3_600)),
    statuses[statusOf(random.unit())]!,
    Math.round(Math.exp(4 + 1.1 * normal(random)) * 100) / 100,
    random.unit() < 0.9 ? null : 'n'.repeat(5 + random.below(60)),
  ]);
  const itemRows = orderRows.flatMap(([order]): Cell[][] =>
    Array.from({ length: 1 + ranks(5, 0.8)(random.unit()) }, (_, line): Cell[] => [
      order!,
      line + 1,
      scattered(products, productOf(random.unit())),
      1 + quantityOf(random.unit()),
    ]),
  );
  return {
    tables: {
      customers: {
        definition:
          'id integer PRIMARY KEY, city varchar(30) NOT NULL, region varchar(10) NOT NULL, segment char(1) NOT NULL, born date NOT NULL, email varchar(60) NOT NULL UNIQUE, score integer',
        indexes: ['city', 'born'],
        rows: customerRows,
      },
      products: {
        definition: 'id integer PRIMARY KEY, category varchar(20) NOT NULL, price decimal(8,2) NOT NULL',
        indexes: [],
        rows: productRows,
      },
      orders: {
        definition:
          'id bigint PRIMARY KEY, customer_id integer NOT NULL, placed {time} NOT NULL, status varchar(12) NOT NULL, total decimal(10,2) NOT NULL, note varchar(200), FOREIGN KEY (customer_id) REFERENCES {customers} (id)',
        indexes: ['customer_id', 'placed', 'status'],
        rows: orderRows,
      },
      items: {
        definition:
          'order_id bigint NOT NULL, line integer NOT NULL, product_id integer NOT NULL, quantity integer NOT NULL, PRIMARY KEY (order_id, line), FOREIGN KEY (order_id) REFERENCES {orders} (id), FOREIGN KEY (product_id) REFERENCES {products} (id)',
        indexes: ['product_id'],
        rows: itemRows,
      },
    },
    statistics: { postgres: ['CREATE STATISTICS {schema}.places ON city, region FROM {customers}'] },
  };
}

/** The tables of pgbench, with a history of transactions. `scale`: branches. */
export function bench(scale: number): OriginalSchema {
  const random = new Sfc32(7);
  const accounts = 10_000 * scale;
  const history = 5_000 * scale;
  return {
    tables: {
      branches: {
        definition: 'bid integer PRIMARY KEY, bbalance integer, filler char(88)',
        indexes: [],
        rows: Array.from({ length: scale }, (_, i): Cell[] => [i + 1, random.below(20_000) - 10_000, null]),
      },
      tellers: {
        definition:
          'tid integer PRIMARY KEY, bid integer, tbalance integer, filler char(84), FOREIGN KEY (bid) REFERENCES {branches} (bid)',
        indexes: [],
        rows: Array.from({ length: scale * 10 }, (_, i): Cell[] => [
          i + 1,
          Math.floor(i / 10) + 1,
          random.below(5_000),
          null,
        ]),
      },
      accounts: {
        definition:
          'aid integer PRIMARY KEY, bid integer, abalance integer, filler char(84), FOREIGN KEY (bid) REFERENCES {branches} (bid)',
        indexes: [],
        rows: Array.from({ length: accounts }, (_, i): Cell[] => [
          i + 1,
          Math.floor(i / 10_000) + 1,
          random.unit() < 0.6 ? 0 : random.below(10_000) - 5_000,
          '',
        ]),
      },
      history: {
        definition:
          'tid integer, bid integer, aid integer, delta integer, mtime {time}, filler char(22), FOREIGN KEY (tid) REFERENCES {tellers} (tid), FOREIGN KEY (aid) REFERENCES {accounts} (aid)',
        indexes: [],
        rows: Array.from({ length: history }, (_, i): Cell[] => {
          const teller = random.below(scale * 10);
          return [
            teller + 1,
            Math.floor(teller / 10) + 1,
            random.below(accounts) + 1,
            random.below(10_000) - 5_000,
            time(i * 2),
            null,
          ];
        }),
      },
    },
    statistics: {},
  };
}
