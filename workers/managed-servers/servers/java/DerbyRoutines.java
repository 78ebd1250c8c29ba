import java.lang.reflect.Member;
import org.apache.derby.iapi.services.loader.ClassFactory;
import org.apache.derby.iapi.services.loader.ClassInspector;
import org.apache.derby.impl.services.reflect.ReflectClassesJava2;

/**
 * Derby's own way of finding classes, but for what statements name: whoever owns a schema may declare any static method of Java as a function
 * or procedure (CREATE FUNCTION … EXTERNAL NAME 'java.lang.System.exit'), any class as a type, aggregate or table function, and no right of
 * SQL keeps that from him. Here a routine is one of Derby's own, or mathematics, and a class is Derby's own. Derby takes it for a module of
 * its own by derby.properties (derby.ts).
 */
public final class DerbyRoutines extends ReflectClassesJava2 {
  private ClassInspector inspector;

  @Override
  public synchronized ClassInspector getClassInspector() {
    if (inspector == null) inspector = new OwnRoutines(this);
    return inspector;
  }

  private static final class OwnRoutines extends ClassInspector {
    private OwnRoutines(ClassFactory classes) {
      super(classes);
    }

    /** Derby asks this of every class that a statement names: of routines, types, aggregates, table functions. */
    @Override
    public boolean accessible(String className) throws ClassNotFoundException {
      refuseForeign(className);
      return super.accessible(className);
    }

    @Override
    public Member findPublicMethod(
        String className,
        String method,
        String[] types,
        String[] primitiveTypes,
        boolean[] isParameter,
        boolean isStatic,
        boolean repeatLastParameter,
        boolean hasVarargs)
        throws ClassNotFoundException {
      if (isStatic) refuseForeign(className);
      try {
        return super.findPublicMethod(
            className, method, types, primitiveTypes, isParameter, isStatic, repeatLastParameter, hasVarargs);
      } catch (Exception thrown) {
        throw OwnRoutines.<RuntimeException>same(thrown);
      }
    }

    /** Throws what was thrown: Derby's own checked exception is in another package before 10.15. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T same(Throwable thrown) throws T {
      throw (T) thrown;
    }

    private static void refuseForeign(String className) throws ClassNotFoundException {
      if (!isAllowed(className)) throw new ClassNotFoundException(className + ": this server runs no Java but its own");
    }

    /** Of Derby's packages the optional tools and table functions read files and connect to other databases. */
    private static boolean isAllowed(String className) {
      if (className.equals("java.lang.Math") || className.equals("java.lang.StrictMath")) return true;
      return className.startsWith("org.apache.derby.")
          && !className.startsWith("org.apache.derby.vti.")
          && !className.startsWith("org.apache.derby.optional.")
          && !className.startsWith("org.apache.derby.tools.")
          && !className.startsWith("org.apache.derby.impl.tools.");
    }
  }
}
