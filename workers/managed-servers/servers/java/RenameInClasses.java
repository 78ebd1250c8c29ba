import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;

/**
 * Copies classes out of a jar and renames what they refer to: names that have moved in later versions of Java. Changes the texts of the
 * constant pool and nothing else (Java Virtual Machine Specification, 4.4).
 *
 * Arguments: the jar, the folder for the classes, how many classes, their paths within the jar, then pairs of old and new name ("a/b/C").
 */
public final class RenameInClasses {
  private static final int MAGIC = 0xCAFEBABE;

  public static void main(String[] arguments) throws IOException {
    Path target = Path.of(arguments[1]);
    int names = 3 + Integer.parseInt(arguments[2]);
    List<String> pairs = Arrays.asList(arguments).subList(names, arguments.length);
    try (JarFile jar = new JarFile(arguments[0])) {
      for (String path : Arrays.asList(arguments).subList(3, names)) {
        Path file = target.resolve(path);
        Files.createDirectories(file.getParent());
        try (InputStream content = jar.getInputStream(jar.getEntry(path))) {
          Files.write(file, renamed(new DataInputStream(content), pairs));
        }
      }
    }
  }

  private static byte[] renamed(DataInputStream in, List<String> pairs) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    if (in.readInt() != MAGIC) throw new IOException("not a class file");
    out.writeInt(MAGIC);
    out.writeInt(in.readInt()); // version
    int count = in.readUnsignedShort();
    out.writeShort(count);
    // Index 0 is not there; long and double (tags 5 and 6) take two.
    for (int index = 1; index < count; index++) {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      if (tag == 1) out.writeUTF(renamed(in.readUTF(), pairs));
      else out.write(in.readNBytes(lengthOf(tag)));
      if (tag == 5 || tag == 6) index++;
    }
    in.transferTo(out);
    return bytes.toByteArray();
  }

  private static String renamed(String text, List<String> pairs) {
    for (int at = 0; at < pairs.size(); at += 2) text = text.replace(pairs.get(at), pairs.get(at + 1));
    return text;
  }

  private static int lengthOf(int tag) throws IOException {
    return switch (tag) {
      case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
      case 5, 6 -> 8;
      case 7, 8, 16, 19, 20 -> 2;
      case 15 -> 3;
      default -> throw new IOException("unknown constant " + tag);
    };
  }
}
