import { type JavaServer, javaInstallable } from './java-server.ts';

const version = '1.6.5';
const own = (artifact: string, sha256: string) => ({ group: 'io.snappydata', artifact, version, sha256 });

const unsafe = 'com/gemstone/gemfire/internal/shared/unsafe';

/**
 * The row store alone: the part that members without Spark load. It was built for Java 8. On 17 it needs packages of
 * the JDK opened (servers/snappydata.ts), three names changed in the two classes that manage memory outside of the
 * heap, and other locks in the two classes that choose rows to evict (EntryMonitors.java), which every disk store uses.
 * Its locator gets another socket (LocatorSockets.java).
 */
export const rowStoreServer: JavaServer = {
  name: 'snappydata',
  label: 'snappydata-store',
  version,
  about: `snappydata-store ${version} (the open-source descendant of SQLFire) from Maven Central, each part verified by its pinned checksum (39 MiB; licence: Apache 2.0; some parts have others)`,
  jars: [
    own('snappydata-store-core', '9fffb577a8614c896932a3b55e7e515d881b376caadab10b12cffa4f1dc58fe5'),
    own('snappydata-store-shared', '45ad3e8aee6a7b811d288f28c1d5deed027abc7462b8b2c355c90e6c9c11ac1f'),
    own('snappydata-store-client', 'a30474ca9bf40107c315513ee43c3a46fffaa37637056f2284866664cfbd5655'),
    own('snappydata-store-tools', 'e98338c6fd9e65e8c4d72460514be30196f9eff151f76af96d3cf4f43937da12'),
    own('gemfire-core', '369065c23f561e17ef5080ac589b2df5f2bd7ede8a422c2b1ce2514fb2064c59'),
    own('gemfire-shared', '89c5aa1f9ae33b199e69c562fd8744023c6a7e6ff07ea249b16236d923f57d36'),
    own('gemfire-util', '0ad800eece5d1260e911494841c3d2ffaf80bbee60fca099a79c788aa6862b21'),
    own('gemfire-jgroups', '5715a39f8750c102e22fed3313029cf43530f0c3cb1d2c14135f65824d08ad5a'),
    own('gemfire-trove', '6dd88c3bd310b64516cb455cc770e9c5aadb91ac245f4e82112343649eeea4bf'),
    {
      group: 'io.snappydata',
      artifact: 'snappy-spark-unsafe_2.11',
      version: '2.1.1.8',
      sha256: 'ec3de03fd7bd393451764cefb9e44c8663917a496bfba83315c4df79d70513ac',
    },
    {
      group: 'log4j',
      artifact: 'log4j',
      version: '1.2.17',
      sha256: '1d31696445697720527091754369082a6651bd49781b6005deb94e56753406f9',
    },
    {
      group: 'org.slf4j',
      artifact: 'slf4j-api',
      version: '1.7.25',
      sha256: '18c4a0095d5c1da6b817592e767bb23d29dd2f560ad74df75ff3961dbde25b79',
    },
    {
      group: 'org.slf4j',
      artifact: 'slf4j-log4j12',
      version: '1.7.25',
      sha256: 'ddb343954deb6f046f862606c534178730c02ed23d0b7f6ca1012c1e3fa74273',
    },
    {
      group: 'net.java.dev.jna',
      artifact: 'jna',
      version: '4.5.2',
      sha256: '0c8eb7acf67261656d79005191debaba3b6bf5dd60a43735a245429381dbecff',
    },
    {
      group: 'org.apache.commons',
      artifact: 'commons-pool2',
      version: '2.6.0',
      sha256: '9293d888fbd909516b8700a4bd91e98254b8b1fe15afb6c3d6356c9d6724bade',
    },
    {
      group: 'org.eclipse.collections',
      artifact: 'eclipse-collections',
      version: '9.2.0',
      sha256: 'e9a6e0c786435142274cd319c285b634e8b7492e2ad0ef2ea30802f440d8dbb7',
    },
    {
      group: 'org.eclipse.collections',
      artifact: 'eclipse-collections-api',
      version: '9.2.0',
      sha256: '51b8d355c6a158286af8e326709cacebea881f51670cb9be99495ab4715dfac3',
    },
    {
      group: 'javax.transaction',
      artifact: 'javax.transaction-api',
      version: '1.3',
      sha256: '603df5e4fc1eeae8f5e5d363a8be6c1fa47d0df1df8739a05cbcb9fafd6df2da',
    },
    {
      group: 'org.apache.thrift',
      artifact: 'libthrift',
      version: '0.9.3',
      sha256: 'bca5e8cdee1e0fbf563de7d41c452385e7bed69723fa28225a9ce718a8ee3419',
    },
  ],
  sources: ['RowStoreServer.java', 'RowStoreStatements.java', 'EntryMonitors.java', 'LocatorSockets.java'],
  // Java 21 has changed the members of java.nio that it uses.
  jdk: { from: 17, to: 17 },
  renames: [
    {
      artifact: 'gemfire-shared',
      classes: ['UnsafeHolder.class', 'UnsafeHolder$Wrapper.class'].map((name) => `${unsafe}/${name}`),
      names: {
        'sun/misc/Cleaner': 'jdk/internal/ref/Cleaner',
        'sun/misc/SharedSecrets': 'jdk/internal/access/SharedSecrets',
        tryHandlePendingReference: 'waitForReferenceProcessing',
      },
    },
    {
      artifact: 'gemfire-core',
      classes: ['AbstractLRURegionMap.class', 'lru/NewLRUClockHand.class'].map(
        (name) => `com/gemstone/gemfire/internal/cache/${name}`,
      ),
      names: { [`${unsafe}/UnsafeHolder`]: 'EntryMonitors' },
    },
    {
      artifact: 'gemfire-core',
      classes: ['com/gemstone/gemfire/distributed/internal/tcpserver/TcpServer.class'],
      names: { 'com/gemstone/gemfire/internal/SocketCreator': 'LocatorSockets' },
    },
  ],
};

export const snappydata = javaInstallable(rowStoreServer, 'drda', ['local-snappydata', 'local-snappydata-two']);
