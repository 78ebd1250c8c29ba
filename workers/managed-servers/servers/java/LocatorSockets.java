import com.gemstone.gemfire.distributed.internal.DistributionConfig;
import com.gemstone.gemfire.internal.SocketCreator;
import com.gemstone.org.jgroups.util.GFLogWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Stands in for the three functions by which the product's locator, where members find each other, makes its socket. The product forgets the
 * address that it is given, and listens on every address of the machine; this one listens on 127.0.0.1.
 */
public final class LocatorSockets {
  private static final LocatorSockets ONLY = new LocatorSockets();

  private LocatorSockets() {}

  public static LocatorSockets getDefaultInstance() {
    return ONLY;
  }

  /** The product reads its configuration here, for all its sockets. */
  public static LocatorSockets getDefaultInstance(DistributionConfig config) {
    SocketCreator.getDefaultInstance(config);
    return ONLY;
  }

  public ServerSocket createServerSocket(int port, int backlog, GFLogWriter log) throws IOException {
    return createServerSocket(port, backlog, null, log);
  }

  public ServerSocket createServerSocket(int port, int backlog, InetAddress ignored, GFLogWriter log) throws IOException {
    return new ServerSocket(port, backlog, InetAddress.getByName("127.0.0.1"));
  }
}
