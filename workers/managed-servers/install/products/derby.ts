import type { MavenJar } from '../fetch-maven.ts';
import type { JdkVersions } from '../jdk.ts';
import type { Installable } from './installable.ts';
import { type JavaServer, javaInstallable } from './java-server.ts';

/** A release of Derby. */
interface Release {
  readonly jdk: JdkVersions;
  /** The artifacts of Maven Central. The client is for `ij` and for comparisons. */
  readonly artifacts: Readonly<Record<string, Pick<MavenJar, 'version' | 'sha256'>>>;
}

/** The last release of each series that still runs, the newest first. */
const releases: readonly Release[] = [
  {
    jdk: { from: 21 },
    artifacts: {
      derby: { version: '10.17.1.0', sha256: '764e4c133f860a8876e835ef2306efecad27a742d27f05bc4bce669432c6b397' },
      derbynet: { version: '10.17.1.0', sha256: 'c2f8e2d9a12208121b614c4abe97a2486d8dfa7b79799e3ffa735ac0852c6ba3' },
      derbyshared: { version: '10.17.1.0', sha256: 'fb68bab30785375c1f8cb5e9583b349750f8904d6f7ee15ce8e1c30b6be30ef4' },
      derbytools: { version: '10.17.1.0', sha256: 'c1e24e47d944a7c4c6fa88ad1a0989d7cf37e4108dc2fbde8cb07e758087996e' },
      derbyclient: { version: '10.17.1.0', sha256: '8f3e7a1f2eec23faf8c1c0fb21767b37c4d60d32223362a1f82a740b39b3726a' },
    },
  },
  {
    jdk: { from: 17 },
    artifacts: {
      derby: { version: '10.16.1.1', sha256: 'ede804cb04e871d7c52d2414e952ab939f9ef243abb7bd0ce7dbeb6e1e28bd0b' },
      derbynet: { version: '10.16.1.1', sha256: 'e86abd0ea3fadfe8e0f7565049c59b035b4cf7234c056bfe678d5fdfed894382' },
      derbyshared: { version: '10.16.1.1', sha256: '27d4be683a45f6c15940167277ce39bb7e26b9f6dc0bc05efbcf813cac5d2b8f' },
      derbytools: { version: '10.16.1.1', sha256: 'db052f92508e966ee8b0c5c9eca84cb11cbf0b0d78e608dc89340d4bb6c07314' },
      derbyclient: { version: '10.16.1.1', sha256: 'b7243184b1df01b946eaf89eb904ed724d1f7493eb7467e85f4c6ffb4a09142b' },
    },
  },
  {
    jdk: { from: 17 },
    artifacts: {
      derby: { version: '10.15.2.0', sha256: '3afe424625f4caea05ff2f9022be2d98634be4d69dee3529697dab6d9fe1142f' },
      derbynet: { version: '10.15.2.0', sha256: '472664b8fa48552a23304cc0f4e37cd38ab66a1845b1d097ae8b9e794b852229' },
      derbyshared: { version: '10.15.2.0', sha256: '55365ab97e698080c6ccec65dbf7b8c63e4b4b77ad08f794d11458b1f2ea272c' },
      derbytools: { version: '10.15.2.0', sha256: '45d6dc34af9790f7f8fafb9b15d8525f3b429950fca4b4051e7e4f81f9170cd9' },
      derbyclient: { version: '10.15.2.0', sha256: 'f70d0bffda12dbffc3a348b82828ea9ccb329ca02d4c2cd86399362fcbc0c1f1' },
    },
  },
  {
    jdk: { from: 17 },
    artifacts: {
      derby: { version: '10.14.2.0', sha256: '2c40eb581e5221ab33c7c796979b49ce404e7e393357c58f7bcdb30a09efca72' },
      derbynet: { version: '10.14.2.0', sha256: '60420647ea4dec5fb5d2e44768411e33d2358f517c292073cc4bdd41f70deddc' },
      derbytools: { version: '10.14.2.0', sha256: '3c695cbcde7e9e68156e55d6a0d85ddb8d8a0e770ef9b48375c07ec960574f56' },
      derbyclient: { version: '10.14.2.0', sha256: '2fdcd2a01cec01315c497e321940b7d39c1e8310d31922b3a0099ccefdd8bfbd' },
    },
  },
];

/** The series of `local-derby`: the newest one that runs on Java 17. */
const usualSeries = '10.16';

const jarsOf = ({ artifacts }: Release): readonly MavenJar[] =>
  Object.entries(artifacts).map(([artifact, file]) => ({ group: 'org.apache.derby', artifact, ...file }));

const servers: ReadonlyMap<string, JavaServer> = new Map(
  releases.map((release) => {
    const jars = jarsOf(release);
    const { version } = jars[0]!;
    const series = version.split('.').slice(0, 2).join('.');
    const isUsual = series === usualSeries;
    const server: JavaServer = {
      name: isUsual ? 'derby' : `derby@${series}`,
      label: isUsual ? 'Apache Derby' : `Apache Derby ${series}`,
      version,
      about: `Apache Derby ${version} from Maven Central, each part verified by its pinned checksum (4.8 MiB; licence: Apache 2.0)`,
      jars,
      sources: ['DerbyServer.java', 'DerbyRoutines.java'],
      jdk: release.jdk,
    };
    return [series, server] as const;
  }),
);

/** The server of a series such as '10.17'. */
export function derbyOfSeries(series: string): JavaServer {
  const server = servers.get(series);
  if (!server) throw new Error(`Dyno knows no Derby ${series}`);
  return server;
}

export const derbyServer: JavaServer = derbyOfSeries(usualSeries);

/** The tools that fetch Derby: `derby` for the usual series, `derby@10.17` for another one. */
export const derbyVersions: readonly Installable[] = [...servers].map(([series, server]) =>
  javaInstallable(server, 'drda', [...(series === usualSeries ? ['local-derby'] : []), `derby@${series}`]),
);
