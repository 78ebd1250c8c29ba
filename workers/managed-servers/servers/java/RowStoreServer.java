import com.pivotal.gemfirexd.FabricServer;
import com.pivotal.gemfirexd.FabricServiceManager;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * A member of snappydata-store's row store, alone or with others. Its own launcher starts another process, serves Thrift instead, and takes
 * passwords as arguments.
 *
 * Standard input: a Java properties file. `port` and `grants` (statements, a line each, that the owner runs) are ours, the rest are the
 * product's boot properties. A member without a port keeps rows and serves no sessions; its catalog is that of the member that it joins.
 */
public final class RowStoreServer {
  public static void main(String[] arguments) throws Exception {
    Properties boot = new Properties();
    boot.load(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String port = (String) boot.remove("port");
    String grants = (String) boot.remove("grants");
    try {
      FabricServer server = FabricServiceManager.getFabricServerInstance();
      server.start(boot);
      Properties owner = new Properties();
      for (String name : new String[] {"user", "password"}) owner.setProperty(name, boot.getProperty(name));
      try (Connection connection = DriverManager.getConnection("jdbc:gemfirexd:", owner);
          Statement statement = connection.createStatement()) {
        if (grants != null) for (String grant : grants.split("\n")) statement.execute(grant);
        refuseRoutines(statement);
      }
      // It stops by a shutdown hook of its own.
      if (port != null) server.startDRDAServer("127.0.0.1", Integer.parseInt(port), new Properties());
      else System.out.println("This member is ready to accept rows.");
      Thread.currentThread().join();
    } catch (Throwable problem) {
      for (Throwable one = problem; one != null; one = one.getCause()) System.err.println("ERROR " + one);
      System.exit(1);
    }
  }

  /** Serves nobody where the product has not taken RowStoreStatements for its own. */
  private static void refuseRoutines(Statement owner) throws SQLException {
    try {
      owner.execute("CREATE PROCEDURE NO_JAVA() LANGUAGE JAVA PARAMETER STYLE JAVA NO SQL EXTERNAL NAME 'java.lang.System.gc'");
    } catch (SQLException refused) {
      if ("4251A".equals(refused.getSQLState())) return;
      throw refused;
    }
    throw new SQLException("Routines of Java are not switched off.");
  }
}
