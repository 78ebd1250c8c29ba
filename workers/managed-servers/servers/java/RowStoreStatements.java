import com.pivotal.gemfirexd.internal.iapi.error.StandardException;
import com.pivotal.gemfirexd.internal.iapi.services.context.ContextManager;
import com.pivotal.gemfirexd.internal.iapi.sql.compile.C_NodeTypes;
import com.pivotal.gemfirexd.internal.impl.sql.compile.NewInvocationNode;
import com.pivotal.gemfirexd.internal.impl.sql.compile.NodeFactoryImpl;
import com.pivotal.gemfirexd.internal.impl.sql.compile.QueryTreeNode;
import com.pivotal.gemfirexd.internal.shared.common.reference.SQLState;
import java.util.Map;
import java.util.Set;

/**
 * The product's own factory for the parts of a parsed statement, without those that reach beyond tables: routines and types of Java
 * (EXTERNAL NAME), result processors, stores in folders, listeners, and links to other members. No right of SQL keeps these from the owner
 * of a schema. The product takes this class for its own by a property of its start (snappydata.ts). How a text is written does not matter
 * here: the parser has read it.
 */
public final class RowStoreStatements extends NodeFactoryImpl {
  private static final Map<Integer, String> REFUSED =
      Map.ofEntries(
          Map.entry(C_NodeTypes.CREATE_ALIAS_NODE, "CREATE of a routine, type or synonym"),
          Map.entry(C_NodeTypes.PROCEDURE_PROCESSOR_NODE, "WITH RESULT PROCESSOR"),
          Map.entry(C_NodeTypes.STATIC_CLASS_FIELD_REFERENCE_NODE, "a field of a class"),
          Map.entry(C_NodeTypes.CREATE_DISK_STORE_NODE, "CREATE DISKSTORE"),
          Map.entry(C_NodeTypes.DROP_DISK_STORE_NODE, "DROP DISKSTORE"),
          Map.entry(C_NodeTypes.CREATE_HDFS_STORE_NODE, "CREATE HDFSSTORE"),
          Map.entry(C_NodeTypes.ALTER_HDFS_STORE_NODE, "ALTER HDFSSTORE"),
          Map.entry(C_NodeTypes.DROP_HDFS_STORE_NODE, "DROP HDFSSTORE"),
          Map.entry(C_NodeTypes.CREATE_GATEWAY_SENDER_NODE, "CREATE GATEWAYSENDER"),
          Map.entry(C_NodeTypes.DROP_GATEWAY_SENDER_NODE, "DROP GATEWAYSENDER"),
          Map.entry(C_NodeTypes.CREATE_GATEWAY_RECEIVER_NODE, "CREATE GATEWAYRECEIVER"),
          Map.entry(C_NodeTypes.DROP_GATEWAY_RECEIVER_NODE, "DROP GATEWAYRECEIVER"),
          Map.entry(C_NodeTypes.CREATE_ASYNC_EVENT_LISTENER_NODE, "CREATE ASYNCEVENTLISTENER"),
          Map.entry(C_NodeTypes.DROP_ASYNC_EVENT_LISTENER_NODE, "DROP ASYNCEVENTLISTENER"));

  /** Fails with "Operation '…' can only be performed by the database owner". */
  @Override
  public QueryTreeNode getNode(int type, ContextManager context) throws StandardException {
    String refused = REFUSED.get(type);
    if (refused != null) throw StandardException.newException(SQLState.AUTH_ROLE_DBO_ONLY, refused);
    if (type != C_NodeTypes.NEW_INVOCATION_NODE) return super.getNode(type, context);
    QueryTreeNode table = new OwnTable();
    table.setContextManager(context);
    table.setNodeType(type);
    return table;
  }

  /** A table that a class of the product computes (SYSCS_DIAG, NEW …), without those classes that read a file of any name. */
  public static final class OwnTable extends NewInvocationNode {
    private static final Set<String> READERS = Set.of("ErrorLogReader", "StatementDuration");

    @Override
    public void init(Object className, Object parameters, Object isDelimited) throws StandardException {
      refuseReaders(className);
      super.init(className, parameters, isDelimited);
    }

    @Override
    public void init(Object vtiName, Object table, Object parameters, Object isDelimited) throws StandardException {
      super.init(vtiName, table, parameters, isDelimited);
      refuseReaders(javaClassName);
    }

    private static void refuseReaders(Object className) throws StandardException {
      String name = String.valueOf(className);
      if (READERS.contains(name.substring(name.lastIndexOf('.') + 1)))
        throw StandardException.newException(SQLState.AUTH_ROLE_DBO_ONLY, name);
    }
  }
}
