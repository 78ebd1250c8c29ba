import com.pivotal.gemfirexd.FabricServer;
import com.pivotal.gemfirexd.FabricServiceManager;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * snappydata-store's row store as a single member without a cluster, which serves DRDA. Its own launcher starts another process, serves
 * Thrift instead, and takes passwords as arguments.
 *
 * Standard input: a Java properties file. `port` is ours, the rest are the product's boot properties.
 */
public final class RowStoreServer {
  public static void main(String[] arguments) throws Exception {
    Properties boot = new Properties();
    boot.load(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int port = Integer.parseInt((String) boot.remove("port"));
    try {
      FabricServer server = FabricServiceManager.getFabricServerInstance();
      server.start(boot);
      // It stops by a shutdown hook of its own.
      server.startDRDAServer("127.0.0.1", port, new Properties());
      Thread.currentThread().join();
    } catch (Throwable problem) {
      for (Throwable one = problem; one != null; one = one.getCause()) System.err.println("ERROR " + one);
      System.exit(1);
    }
  }
}
