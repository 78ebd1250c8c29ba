import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.apache.derby.drda.NetworkServerControl;

/**
 * Apache Derby's network server with one database, in its working folder. Its own command line would take passwords as arguments or from
 * a file, would find a damaged database only at the first connection, and would not close its databases when it is asked to go.
 *
 * Standard input: a Java properties file. `port`, `database`, `owner`, `password` (the owner's) and `grants` (statements, a line each, that the
 * owner of a new database runs) are ours; whatever starts with `derby.` or `javax.` becomes a property of the system.
 */
public final class DerbyServer {
  private static final int READY_WITHIN_MS = 20_000;

  public static void main(String[] arguments) throws Exception {
    Properties given = new Properties();
    given.load(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String name : given.stringPropertyNames())
      if (name.startsWith("derby.") || name.startsWith("javax.")) System.setProperty(name, given.getProperty(name));
    String database = given.getProperty("database");
    Properties owner = new Properties();
    owner.setProperty("user", given.getProperty("owner"));
    owner.setProperty("password", given.getProperty("password"));
    try {
      open(database, owner, given.getProperty("grants"));
      serve(Integer.parseInt(given.getProperty("port")), owner);
    } catch (SQLException problem) {
      for (SQLException one = problem; one != null; one = one.getNextException())
        System.err.println("ERROR " + one.getSQLState() + ": " + one.getMessage());
      System.exit(1);
    } catch (Exception problem) {
      System.err.println(problem);
      System.exit(1);
    }
  }

  /** Opens the database, recovering it where that is needed. A new one gets its name when it is complete. */
  private static void open(String database, Properties owner, String grants) throws SQLException, IOException {
    File folder = new File(database);
    if (!folder.exists()) {
      String half = database + ".part";
      try (Connection made = connect(half, ";create=true", owner);
          Statement statement = made.createStatement()) {
        for (String grant : grants.split("\n")) statement.execute(grant);
      }
      stop(half, owner);
      if (!new File(half).renameTo(folder)) throw new IOException(half + " cannot be renamed");
    }
    try (Connection opened = connect(database, "", owner)) {
      refuseRoutines(opened);
    }
  }

  /** Serves nobody where Derby has not taken DerbyRoutines for its own. Leaves nothing in the database. */
  private static void refuseRoutines(Connection owner) throws SQLException {
    owner.setAutoCommit(false);
    try (Statement statement = owner.createStatement()) {
      statement.execute("CREATE PROCEDURE NO_JAVA() LANGUAGE JAVA PARAMETER STYLE JAVA NO SQL EXTERNAL NAME 'java.lang.System.gc'");
      statement.execute("CALL NO_JAVA()");
    } catch (SQLException refused) {
      if ("42X51".equals(refused.getSQLState())) return;
      throw refused;
    } finally {
      owner.rollback();
    }
    throw new SQLException("Routines of Java are not switched off.");
  }

  private static void serve(int port, Properties owner) throws Exception {
    // The server's own thread would only print that the port is taken, and a ping ask whoever has it.
    new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1")).close();
    NetworkServerControl server =
        new NetworkServerControl(
            InetAddress.getByName("127.0.0.1"), port, owner.getProperty("user"), owner.getProperty("password"));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server, owner)));
    server.start(null);
    waitFor(server);
    Thread.currentThread().join();
  }

  /** The server listens in a thread of its own, which only prints that it could not. */
  private static void waitFor(NetworkServerControl server) throws Exception {
    long deadline = System.nanoTime() + READY_WITHIN_MS * 1_000_000L;
    for (; ; ) {
      try {
        server.ping();
        return;
      } catch (Exception notYet) {
        if (System.nanoTime() > deadline) throw notYet;
        Thread.sleep(20);
      }
    }
  }

  /** With a checkpoint, so that the next start has nothing to recover. */
  private static void close(NetworkServerControl server, Properties owner) {
    try {
      server.shutdown();
    } catch (Exception problem) {
      System.err.println(problem);
    }
    try {
      stop("", owner);
    } catch (SQLException problem) {
      System.err.println(problem);
    }
  }

  private static Connection connect(String database, String attributes, Properties owner) throws SQLException {
    return DriverManager.getConnection("jdbc:derby:" + database + attributes, owner);
  }

  /** One database, or the whole engine (""). Derby answers with an exception that means success. */
  private static void stop(String database, Properties owner) throws SQLException {
    try {
      connect(database, ";shutdown=true;deregister=false", owner).close();
    } catch (SQLException answer) {
      String state = answer.getSQLState();
      if (!"08006".equals(state) && !"XJ015".equals(state)) throw answer;
    }
  }
}
