import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The work of client.bench.ts by JDBC. Standard input: a Java properties file (url, user, password, insert, select, rows: a file of rows
 * with tabs between bigint, varchar, decimal and timestamp) up to an empty line, then one command a line:
 *
 *   insert ROWS BATCH              the first rows of the file, BATCH of them a call and commit
 *   read CONNECTIONS READS COMMIT  by keys drawn from those of the first rows; COMMIT: every read, or all of them at the end
 *
 * Each is answered by a line "NANOSECONDS CPU_NANOSECONDS", the latter of the whole process.
 */
public final class JdbcPeer {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private record Row(long id, String name, BigDecimal amount, Timestamp at) {}

  private final Properties given;
  private final Row[] rows;

  private JdbcPeer(Properties given) throws IOException {
    this.given = given;
    List<Row> found = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(given.getProperty("rows")))) {
      String[] cells = line.split("\t", -1);
      found.add(
          new Row(Long.parseLong(cells[0]), cells[1], new BigDecimal(cells[2]), Timestamp.valueOf(cells[3])));
    }
    rows = found.toArray(Row[]::new);
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    StringBuilder text = new StringBuilder();
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine())
      text.append(line).append('\n');
    Properties given = new Properties();
    given.load(new StringReader(text.toString()));
    JdbcPeer peer = new JdbcPeer(given);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      if (words[0].equals("insert")) peer.insert(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      else
        peer.read(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Boolean.parseBoolean(words[3]));
    }
  }

  private Connection connect() throws SQLException {
    Properties login = new Properties();
    login.setProperty("user", given.getProperty("user"));
    login.setProperty("password", given.getProperty("password"));
    return DriverManager.getConnection(given.getProperty("url"), login);
  }

  /** One row a call commits by itself, which the driver sends with the call. */
  private void insert(int count, int batch) throws Exception {
    try (Connection connection = connect();
        PreparedStatement insert = connection.prepareStatement(given.getProperty("insert"))) {
      connection.setAutoCommit(batch == 1);
      measure(
          () -> {
            for (int from = 0; from < count; from += batch) {
              int to = Math.min(from + batch, count);
              for (int at = from; at < to; at++) {
                set(insert, rows[at]);
                if (batch > 1) insert.addBatch();
              }
              if (batch > 1) {
                insert.executeBatch();
                connection.commit();
              } else insert.executeUpdate();
            }
            return null;
          });
    }
  }

  private static void set(PreparedStatement insert, Row row) throws SQLException {
    insert.setLong(1, row.id());
    insert.setString(2, row.name());
    insert.setBigDecimal(3, row.amount());
    insert.setTimestamp(4, row.at());
  }

  /** A thread a connection. */
  private void read(int connections, int reads, boolean commitEach) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(connections);
    List<Connection> open = new ArrayList<>();
    List<Callable<Void>> loops = new ArrayList<>();
    try {
      for (int one = 0; one < connections; one++) {
        Connection connection = connect();
        connection.setAutoCommit(commitEach);
        open.add(connection);
        PreparedStatement select = connection.prepareStatement(given.getProperty("select"));
        SplittableRandom random = new SplittableRandom(one);
        loops.add(
            () -> {
              for (int n = 0; n < reads / connections; n++)
                readOne(select, rows[random.nextInt(rows.length)].id());
              if (!commitEach) connection.commit();
              return null;
            });
      }
      measure(
          () -> {
            for (Future<Void> loop : threads.invokeAll(loops)) loop.get();
            return null;
          });
    } finally {
      for (Connection connection : open) connection.close();
      threads.shutdown();
    }
  }

  private static void readOne(PreparedStatement select, long key) throws SQLException {
    select.setLong(1, key);
    try (ResultSet found = select.executeQuery()) {
      int count = 0;
      for (; found.next(); count++) {
        found.getLong(1);
        found.getString(2);
        found.getBigDecimal(3);
        found.getTimestamp(4);
      }
      if (count != 1) throw new SQLException("The key " + key + " found " + count + " rows");
    }
  }

  private static void measure(Callable<Void> work) throws Exception {
    long cpu = SYSTEM.getProcessCpuTime();
    long begin = System.nanoTime();
    work.call();
    System.out.println((System.nanoTime() - begin) + " " + (SYSTEM.getProcessCpuTime() - cpu));
  }
}
