import { type JavaServer, javaInstallable } from './java-server.ts';

const version = '10.16.1.1';
const jar = (artifact: string, sha256: string) => ({ group: 'org.apache.derby', artifact, version, sha256 });

/** The newest series that runs on Java 17. Its own client is included, for `ij` and for comparisons. */
export const derbyServer: JavaServer = {
  name: 'derby',
  label: 'Apache Derby',
  version,
  about: `Apache Derby ${version} from Maven Central, each part verified by its pinned checksum (4.8 MiB; licence: Apache 2.0)`,
  jars: [
    jar('derby', 'ede804cb04e871d7c52d2414e952ab939f9ef243abb7bd0ce7dbeb6e1e28bd0b'),
    jar('derbynet', 'e86abd0ea3fadfe8e0f7565049c59b035b4cf7234c056bfe678d5fdfed894382'),
    jar('derbyshared', '27d4be683a45f6c15940167277ce39bb7e26b9f6dc0bc05efbcf813cac5d2b8f'),
    jar('derbytools', 'db052f92508e966ee8b0c5c9eca84cb11cbf0b0d78e608dc89340d4bb6c07314'),
    jar('derbyclient', 'b7243184b1df01b946eaf89eb904ed724d1f7493eb7467e85f4c6ffb4a09142b'),
  ],
  sources: ['DerbyServer.java', 'DerbyRoutines.java'],
  jdk: { from: 17 },
};

export const derby = javaInstallable(derbyServer, 'drda', 'local-derby');
