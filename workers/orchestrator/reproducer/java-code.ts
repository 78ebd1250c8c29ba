/**
 * The code of scripts for Java, behind its constants. The generator makes the same values as node-generator.ts, and the
 * tests compare both. A value is a byte[] for uuid and bytes, a Long for integers, decimals (× 10^scale) and times (µs
 * since 1970), a Boolean, a String, or null.
 */
export const javaCode = String.raw`
    // The generator: row n of a column depends on the seed, the column and n alone, as in Dyno.
    record Column(String name, String kind, int scale, String maker, double least, double count, String alphabet, Object[] values, double nulls) {}

    static int mixWith(int value, int first, int a, int second, int b, int third) {
        int x = value;
        x = (x ^ (x >>> first)) * a;
        x = (x ^ (x >>> second)) * b;
        return x ^ (x >>> third);
    }
    static int mixStream(int value) { return mixWith(value, 16, 0x21f0aaad, 15, 0xd35a2d97, 15); }
    static int mix(int value) { return mixWith(value, 16, 0x7feb352d, 15, 0x846ca68b, 16); }
    static double unit(int high, int low) { return ((high >>> 5) * 67108864.0 + (low >>> 6)) * 0x1p-53; }
    static double share(int word) { return Integer.toUnsignedLong(word) * 0x1p-32; }

    static int[] stream(long seed, long lane) {
        int low = mixStream((int) seed);
        int high = mixStream(low ^ (int) (seed >>> 32));
        int first = mixStream(high + (int) lane * 0x9e3779b9);
        return new int[] {first, mixStream(first ^ 0x6a09e667)};
    }

    static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    static final Map<String, String> ALPHABETS = Map.of(
        "alphanumeric", LOWER.toUpperCase(Locale.ROOT) + LOWER + "0123456789",
        "letters", LOWER.toUpperCase(Locale.ROOT) + LOWER,
        "digits", "0123456789",
        "hex", "0123456789abcdef",
        "unicode", unicode());
    static String unicode() {
        StringBuilder all = new StringBuilder(LOWER.toUpperCase(Locale.ROOT) + LOWER + "0123456789");
        int[][] ranges = {{0xc0, 0x100}, {0x3b1, 0x3c9}, {0x410, 0x450}, {0x4e00, 0x4f00}};
        for (int[] range : ranges) for (int c = range[0]; c < range[1]; c++) if (c != 0xd7 && c != 0xf7) all.append((char) c);
        return all.substring(0, 256);
    }

    static final ConcurrentHashMap<Long, int[]> streams = new ConcurrentHashMap<>();
    static int[] words(int[] key, long row) {
        int first = mix((int) row ^ key[0]);
        return new int[] {first, mix((int) (row >>> 32) ^ key[1] ^ first)};
    }
    static int word(int[] own, int index) { return mix((own[0] + index * 0x9e3779b9) ^ own[1]); }

    /** The value of a column in a row. use: 0 for the row's own value, from 2 on for values of updates. */
    static Object valueOf(int column, long row, long use) {
        Column one = COLUMNS[column];
        if (one.nulls > 0) {
            int[] own = words(streams.computeIfAbsent(column + 1000L, lane -> stream(SEED, lane)), row);
            if (unit(own[0], own[1]) < one.nulls) return null;
        }
        int[] own = words(streams.computeIfAbsent(column + 1000 * use, lane -> stream(SEED, lane)), row);
        switch (one.maker) {
            case "sequence": return (long) one.least + row;
            case "number": return (long) (one.least + Math.floor(unit(own[0], own[1]) * one.count));
            case "boolean": return unit(own[0], own[1]) < one.count;
            case "oneOf": return one.values[(int) Math.floor(unit(own[0], own[1]) * one.values.length)];
            case "text": return textOf(own, lengthOf(own, one), one.alphabet);
            case "bytes": {
                int length = lengthOf(own, one);
                ByteBuffer bytes = ByteBuffer.allocate(length + 3).order(ByteOrder.LITTLE_ENDIAN);
                for (int i = 0; i < length; i += 4) bytes.putInt(i, word(own, i + 1));
                return Arrays.copyOf(bytes.array(), length);
            }
            default: return uuidOf(own, row, one.maker);
        }
    }
    static int lengthOf(int[] own, Column one) {
        return (int) (one.least + Math.floor(share(mix(own[0] ^ 0x5bd1e995)) * (one.count - one.least + 1)));
    }
    static String textOf(int[] own, int length, String alphabet) {
        String letters = ALPHABETS.get(alphabet);
        StringBuilder text = new StringBuilder();
        if (alphabet.equals("unicode")) {
            for (int i = 0, bits = 0; i < length; i++, bits >>>= 8) {
                if ((i & 3) == 0) bits = word(own, i + 1);
                text.append(letters.charAt(bits & 255));
            }
            return text.toString();
        }
        for (int i = 0; i < length; i += 4)
            for (int shift = 0; shift <= 12; shift += 12) {
                int index = ((word(own, i + 1) >>> shift & 4095) * letters.length() * letters.length()) / 4096;
                text.append(letters.charAt(index / letters.length())).append(letters.charAt(index % letters.length()));
            }
        return text.substring(0, length);
    }
    static byte[] uuidOf(int[] own, long row, String kind) {
        ByteBuffer bytes = ByteBuffer.allocate(16);
        long ms = 1704067200000L + row / 4096;
        int low = (int) (row & 0xfff);
        if (kind.equals("uuid4"))
            bytes.putInt(own[0]).putInt((word(own, 1) & 0xffff0fff) | 0x4000).putInt((word(own, 2) & 0x3fffffff) | 0x80000000).putInt(own[1]);
        else if (kind.equals("uuid7"))
            bytes.putInt((int) (ms / 65536)).putInt(((int) (ms & 0xffff) << 16) | 0x7000 | low).putInt((own[0] & 0x3fffffff) | 0x80000000).putInt(own[1]);
        else
            bytes.putInt(own[0]).putInt((own[1] & 0xffff0fff) | 0x8000).putInt(((0x8000 | low) << 16) | (int) (ms >>> 32)).putInt((int) ms);
        return bytes.array();
    }

    /** The keys of a call: all different, each row equally likely. */
    static int hash(int[] keys, long index) {
        long block = index >>> 32;
        int x = (int) index ^ (block == 0 ? keys[0] : keys[0] ^ mixStream((int) block ^ keys[1]));
        x ^= x >>> 16;
        x *= 0x21f0aaad;
        x ^= x >>> 15;
        x = (x + keys[1]) * 0xd35a2d97;
        return x ^ (x >>> 15);
    }
    static long[] chooseRows(long call, int count) {
        int[] keys = stream(TRIAL_SEED, 100);
        int[] own = {hash(keys, 2 * call), hash(keys, 2 * call + 1)};
        LinkedHashSet<Long> chosen = new LinkedHashSet<>();
        for (long index = 0; chosen.size() < count; ) {
            long row = (long) (share(hash(own, index++)) * LOADED_ROWS);
            for (int draws = 1; chosen.contains(row) && draws < 20; draws++) row = (long) (share(hash(own, index++)) * LOADED_ROWS);
            while (chosen.contains(row)) row = (row + 1) % LOADED_ROWS;
            chosen.add(row);
        }
        return chosen.stream().mapToLong(Long::longValue).toArray();
    }

    /** The rows in the order of deletes: each once, as if shuffled (a Feistel network). */
    static long deleteOrder(long position) {
        int bits = 1;
        while ((1L << (2 * bits)) < Math.max(2, LOADED_ROWS)) bits++;
        long half = 1L << bits;
        long value = position;
        do {
            long left = value / half;
            long right = value % half;
            for (int lane = 300; lane < 304; lane++) {
                long next = left ^ (mix((int) right ^ stream(TRIAL_SEED, lane)[0]) & (half - 1));
                left = right;
                right = next;
            }
            value = left * half + right;
        } while (value >= LOADED_ROWS);
        return value;
    }

    // The texts of the statements.
    record Statement(String first, String[] between, String next, String last, int[] order) {
        interface Place { String of(int row, int column); }
        String sql(int rows, Place place) {
            StringBuilder text = new StringBuilder(first);
            for (int r = 0; r < rows; r++) {
                if (r > 0) text.append(next);
                for (int i = 0; i < order.length; i++) text.append(i == 0 ? "" : between[i - 1]).append(place.of(r, order[i]));
            }
            return text.append(last).toString();
        }
    }
    static Statement partsFor(int rows) { return rows == 1 || SEVERAL == null ? ONE : SEVERAL; }

    static String uuidText(byte[] bytes) {
        ByteBuffer halves = ByteBuffer.wrap(bytes);
        return new UUID(halves.getLong(), halves.getLong()).toString();
    }
    static LocalDateTime timeOf(long us) {
        return LocalDateTime.ofEpochSecond(Math.floorDiv(us, 1000000L), (int) Math.floorMod(us, 1000000L) * 1000, ZoneOffset.UTC);
    }
    static String hex(byte[] bytes) { return HexFormat.of().formatHex(bytes); }
    static String in(String[] quotes, String text) { return quotes[0] + text + quotes[1]; }
    static String literal(Object value, Column column) {
        if (value == null) return "NULL";
        switch (column.kind) {
            case "uuid": return in(UUID_QUOTES, IS_UUID_HEX ? hex((byte[]) value) : uuidText((byte[]) value));
            case "bytes": return in(BYTES_QUOTES, hex((byte[]) value));
            case "timestamp": return in(TIME_QUOTES, DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS").format(timeOf((Long) value)));
            case "boolean": return (Boolean) value ? TRUE_WORD : FALSE_WORD;
            case "text": {
                String text = (String) value;
                if (HEX_TEXT_QUOTES != null && text.indexOf('\\') >= 0) return in(HEX_TEXT_QUOTES, hex(text.getBytes(StandardCharsets.UTF_8)));
                return in(TEXT_QUOTES, text.replace("'", "''"));
            }
            default: {
                String number = BigDecimal.valueOf((Long) value, column.scale).toPlainString();
                return number.startsWith("-") ? "(" + number + ")" : number;
            }
        }
    }

    static void bind(PreparedStatement statement, int at, Object value, Column column) throws SQLException {
        switch (column.kind) {
            case "uuid":
                if (UUID_FORM.equals("object")) statement.setObject(at, value == null ? null : UUID.fromString(uuidText((byte[]) value)), Types.OTHER);
                else if (UUID_FORM.equals("text")) statement.setString(at, value == null ? null : uuidText((byte[]) value));
                else if (UUID_FORM.equals("guid")) statement.setObject(at, value == null ? null : uuidText((byte[]) value), -145);
                else statement.setBytes(at, (byte[]) value);
                return;
            case "bytes": statement.setBytes(at, (byte[]) value); return;
            case "text": statement.setString(at, (String) value); return;
            case "decimal": statement.setBigDecimal(at, value == null ? null : BigDecimal.valueOf((Long) value, column.scale)); return;
            case "timestamp": statement.setTimestamp(at, value == null ? null : Timestamp.valueOf(timeOf((Long) value))); return;
            case "boolean":
                if (value == null) statement.setNull(at, Types.BOOLEAN);
                else statement.setBoolean(at, (Boolean) value);
                return;
            default:
                if (value == null) statement.setNull(at, Types.BIGINT);
                else statement.setLong(at, (Long) value);
        }
    }
    static void bindRows(PreparedStatement statement, Object[][] rows, int[] order, int[] sent) throws SQLException {
        int at = 1;
        for (Object[] row : rows) for (int c : order) bind(statement, at++, row[c], COLUMNS[sent[c]]);
    }

    // The measurement.
    static Object[][] rowsOf(long first, int count) {
        Object[][] rows = new Object[count][COLUMNS.length];
        for (int r = 0; r < count; r++) for (int c = 0; c < COLUMNS.length; c++) rows[r][c] = valueOf(c, first + r, 0);
        return rows;
    }
    static Object[][] callRows(long first, int count) {
        if (OPERATION.equals("insert")) return rowsOf(first, count);
        if (OPERATION.equals("scan")) return new Object[1][0];
        Object[][] rows = new Object[count][SENT.length];
        long[] chosen = OPERATION.equals("delete") ? null : chooseRows(first, count);
        for (int r = 0; r < count; r++)
            for (int c = 0; c < SENT.length; c++)
                rows[r][c] = SENT[c] == KEY ? valueOf(KEY, chosen == null ? deleteOrder(first + r) : chosen[r], 0) : valueOf(SENT[c], first + r, 2 + Integer.toUnsignedLong((int) TRIAL_SEED));
        return rows;
    }

    record Work(Object[][] values, String sql, int rows) {}
    static long nextRow;
    /** Takes the rows of the next call before the end; null: none is left. */
    static synchronized long[] take(long end) {
        long count = OPERATION.equals("scan") && nextRow < end ? ROWS_PER_CALL : Math.min(ROWS_PER_CALL, end - nextRow);
        if (count <= 0 || (OPERATION.equals("delete") && nextRow + count > LOADED_ROWS)) return null;
        nextRow += count;
        return new long[] {nextRow - count, count};
    }
    static Work ready(long[] taken) {
        Object[][] values = callRows(taken[0], (int) taken[1]);
        int rows = OPERATION.equals("scan") ? 1 : (int) taken[1];
        String sql = METHOD.equals("literal") ? partsFor(rows).sql(rows, (r, c) -> literal(values[r][c], COLUMNS[SENT[c]])) : partsFor(rows).sql(rows, (r, c) -> "?");
        return new Work(values, sql, (int) taken[1]);
    }

    /** The error of the first call that failed. */
    static final java.util.concurrent.atomic.AtomicReference<Throwable> failure = new java.util.concurrent.atomic.AtomicReference<>();

    /** One thread with its connection. */
    static final class Caller {
        final Connection connection;
        final Map<String, PreparedStatement> prepared = new HashMap<>();
        double[] times = new double[1024];
        int calls;
        long touched;
        long generatedNs;
        Caller(Connection connection) { this.connection = connection; }

        void run(long end, long overNs, Queue<Work> ahead) throws SQLException {
            boolean hasTransactions = CALLS_PER_COMMIT > 1 || OPERATION.equals("scan");
            connection.setAutoCommit(!hasTransactions);
            for (int open = 0; ; ) {
                Work work = null;
                if (failure.get() == null && System.nanoTime() < overNs) {
                    if (ahead != null) work = ahead.poll();
                    else {
                        long start = System.nanoTime();
                        long[] taken = take(end);
                        work = taken == null ? null : ready(taken);
                        generatedNs += System.nanoTime() - start;
                    }
                }
                if (work == null) break;
                long answered = call(work);
                if (answered != work.rows) throw new IllegalStateException("A call of " + work.rows + " rows touched " + answered + ".");
                touched += answered;
                if (hasTransactions && ++open % CALLS_PER_COMMIT == 0) connection.commit();
            }
            if (hasTransactions) connection.commit();
            for (PreparedStatement one : prepared.values()) one.close();
            prepared.clear();
            connection.setAutoCommit(true);
        }

        /** Stops the other threads, and gives up the locks for which they may wait. */
        void failed(Throwable error) {
            failure.compareAndSet(null, error);
            try { if (!connection.getAutoCommit()) connection.rollback(); } catch (SQLException ignored) {}
        }

        long call(Work work) throws SQLException {
            if (METHOD.equals("literal")) {
                try (java.sql.Statement statement = connection.createStatement()) {
                    long start = System.nanoTime();
                    if (!READS) return took(start, statement.executeUpdate(work.sql));
                    if (OPERATION.equals("scan") && FETCH_SIZE > 0) statement.setFetchSize(FETCH_SIZE);
                    try (ResultSet rows = statement.executeQuery(work.sql)) { return took(start, counted(rows)); }
                }
            }
            PreparedStatement statement = prepared.get(work.sql);
            if (statement == null && !METHOD.equals("bind")) {
                statement = connection.prepareStatement(work.sql);
                prepared.put(work.sql, statement);
            }
            long start = System.nanoTime();
            if (statement == null) statement = connection.prepareStatement(work.sql);
            if (OPERATION.equals("scan")) {
                if (FETCH_SIZE > 0) statement.setFetchSize(FETCH_SIZE);
            } else bindRows(statement, work.values, partsFor(work.values.length).order, SENT);
            try {
                if (!READS) return took(start, statement.executeUpdate());
                try (ResultSet rows = statement.executeQuery()) { return took(start, counted(rows)); }
            } finally {
                if (METHOD.equals("bind")) statement.close();
            }
        }
        long counted(ResultSet rows) throws SQLException {
            long read = 0;
            for (; rows.next(); read++) for (int c = 1; c <= COLUMNS.length; c++) rows.getObject(c);
            return read;
        }
        long took(long start, long answered) {
            if (calls == times.length) times = Arrays.copyOf(times, 2 * calls);
            times[calls++] = (System.nanoTime() - start) / 1e6;
            return answered;
        }
    }

    /** Runs calls on all connections, until the rows or the time end. Calls before the clock are made ahead. */
    static double phase(List<Caller> callers, long rows, double seconds) throws Exception {
        long end = rows < 0 ? Long.MAX_VALUE : nextRow + rows;
        Queue<Work> ahead = null;
        if (rows >= 0 && rows <= 1000000) {
            ahead = new ConcurrentLinkedQueue<>();
            for (long[] taken = take(end); taken != null; taken = take(end)) ahead.add(ready(taken));
        }
        Queue<Work> works = ahead;
        long started = System.nanoTime();
        long overNs = seconds < 0 ? Long.MAX_VALUE : started + (long) (seconds * 1e9);
        List<Thread> threads = new ArrayList<>();
        for (Caller one : callers) {
            one.calls = 0;
            one.touched = 0;
            one.generatedNs = 0;
            Thread thread = new Thread(() -> {
                try { one.run(end, overNs, works); } catch (Throwable error) { one.failed(error); }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) thread.join();
        double ms = (System.nanoTime() - started) / 1e6;
        if (failure.get() != null) throw new Exception(failure.get());
        return ms;
    }

    static String count(double value) { return String.format(Locale.US, "%,d", Math.round(value)); }
    static String ms(double value) { return String.format(Locale.US, "%.3f", value); }
    static double percentile(double[] sorted, double share) {
        return sorted[Math.min(sorted.length - 1, (int) Math.ceil(sorted.length * share) - 1)];
    }

    static Connection open() throws SQLException {
        String url = System.getenv("JDBC_URL");
        if (url == null) throw new SQLException("Set JDBC_URL, for example " + URL_EXAMPLE);
        Properties properties = new Properties();
        for (String[] one : PROPERTIES) properties.setProperty(one[0], one[1]);
        if (System.getenv("JDBC_USER") != null) properties.setProperty("user", System.getenv("JDBC_USER"));
        if (System.getenv("JDBC_PASSWORD") != null) properties.setProperty("password", System.getenv("JDBC_PASSWORD"));
        return DriverManager.getConnection(url, properties);
    }
    static void run(Connection connection, String sql) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) { statement.execute(sql); }
    }
    static boolean answers(Connection connection, String sql) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) { return rows.next(); }
    }

    record Made(String exists, String[] create, String usedBy, String drop) {}
    static final ArrayDeque<Made> made = new ArrayDeque<>();
    static void create(Connection connection) throws SQLException {
        for (Made object : OBJECTS) {
            if (object.exists != null && answers(connection, object.exists)) continue;
            for (int i = 0; i < object.create.length; i++) {
                run(connection, object.create[i]);
                if (i == 0) made.push(object);
            }
        }
    }
    static void drop(Connection connection) throws SQLException {
        for (Made object : made) if (object.usedBy == null || !answers(connection, object.usedBy)) run(connection, object.drop);
    }
    static void load(Connection connection) throws SQLException {
        if (LOADED_ROWS == 0) return;
        connection.setAutoCommit(false);
        int[] all = new int[COLUMNS.length];
        for (int c = 0; c < all.length; c++) all[c] = c;
        try (PreparedStatement insert = connection.prepareStatement(INSERT.sql(1, (r, c) -> "?"))) {
            for (long first = 0; first < LOADED_ROWS; first += 500) {
                for (Object[] row : rowsOf(first, (int) Math.min(500, LOADED_ROWS - first))) {
                    bindRows(insert, new Object[][] {row}, INSERT.order, all);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** The number of rows and the checksum of each column, as Dyno computes them. */
    static String checksum(Connection connection) throws Exception {
        String[] names = Arrays.stream(COLUMNS).map(Column::name).toArray(String[]::new);
        List<String> sums = new ArrayList<>();
        long rowCount = 0;
        connection.setAutoCommit(false);
        try (java.sql.Statement statement = connection.createStatement()) {
            if (CHECKSUM_SQL == null) statement.setFetchSize(1000);
            try (ResultSet rows = statement.executeQuery(CHECKSUM_SQL == null ? ALL_SQL : CHECKSUM_SQL)) {
                if (CHECKSUM_SQL != null) {
                    rows.next();
                    rowCount = rows.getLong(1);
                    for (int c = 0; c < names.length; c++) sums.add(rows.getString(c + 2));
                } else {
                    BigInteger[] totals = new BigInteger[names.length];
                    Arrays.fill(totals, BigInteger.ZERO);
                    for (; rows.next(); rowCount++)
                        for (int c = 0; c < names.length; c++) totals[c] = totals[c].add(number(rows, c));
                    for (BigInteger total : totals) sums.add(total.toString());
                }
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
        StringBuilder text = new StringBuilder("table: " + rowCount + " rows; checksum");
        for (int c = 0; c < names.length; c++) text.append(c == 0 ? " " : ", ").append(names[c]).append(' ').append(sums.get(c));
        return text.toString();
    }
    static BigInteger number(ResultSet rows, int c) throws Exception {
        int at = c + 1;
        if (rows.getObject(at) == null) return BigInteger.ZERO;
        switch (COLUMNS[c].kind) {
            case "uuid": return md5(uuidText(rows.getBytes(at)).getBytes(StandardCharsets.UTF_8));
            case "text": return md5(rows.getString(at).getBytes(StandardCharsets.UTF_8));
            case "bytes": return md5(rows.getBytes(at));
            case "decimal": return rows.getBigDecimal(at).setScale(COLUMNS[c].scale).unscaledValue();
            case "boolean": return rows.getBoolean(at) ? BigInteger.ONE : BigInteger.ZERO;
            case "timestamp": {
                LocalDateTime time = rows.getTimestamp(at).toLocalDateTime();
                return BigInteger.valueOf(time.toEpochSecond(ZoneOffset.UTC) * 1000000 + time.getNano() / 1000);
            }
            default: return BigInteger.valueOf(rows.getLong(at));
        }
    }
    static BigInteger md5(byte[] bytes) throws Exception {
        return new BigInteger(1, Arrays.copyOf(MessageDigest.getInstance("MD5").digest(bytes), 4));
    }

    static String shown(Object value) {
        return value instanceof byte[] ? hex((byte[]) value) : String.valueOf(value);
    }

    public static void main(String[] arguments) throws Exception {
        // java.sql.Timestamp is a time of day in the default zone.
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        if (arguments.length == 2 && arguments[0].equals("--rows")) {
            PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
            for (Object[] row : rowsOf(0, Integer.parseInt(arguments[1]))) {
                StringBuilder line = new StringBuilder();
                for (Object value : row) line.append(line.length() == 0 ? "" : "\t").append(shown(value));
                out.println(line);
            }
            return;
        }
        nextRow = OPERATION.equals("delete") ? 0 : LOADED_ROWS;
        List<Caller> callers = new ArrayList<>();
        try {
            for (int c = 0; c < CONNECTIONS; c++) callers.add(new Caller(open()));
            Connection control = callers.get(0).connection;
            DatabaseMetaData about = control.getMetaData();
            System.out.println("server: " + about.getDatabaseProductName() + " " + about.getDatabaseProductVersion().lines().findFirst().orElse("") + ", Java " + System.getProperty("java.version") + ", " + about.getDriverName() + " " + about.getDriverVersion());
            create(control);
            load(control);
            if (WARMUP_ROWS > 0 || WARMUP_SECONDS > 0) phase(callers, SECONDS < 0 ? WARMUP_ROWS : -1, SECONDS < 0 ? -1 : WARMUP_SECONDS);
            double took = phase(callers, SECONDS < 0 ? ROWS : -1, SECONDS);
            double[] times = callers.stream().flatMapToDouble(one -> Arrays.stream(one.times, 0, one.calls)).sorted().toArray();
            if (times.length == 0) throw new IllegalStateException("No call was made.");
            long touched = callers.stream().mapToLong(one -> one.touched).sum();
            double generated = callers.stream().mapToLong(one -> one.generatedNs).sum() / 1e6 / CONNECTIONS;
            System.out.println("measured: " + count(touched) + " rows in " + count(times.length) + " calls and " + ms(took / 1000) + " s");
            System.out.println("throughput: " + count(touched * 1000 / took) + " rows/s, " + count(times.length * 1000 / took) + " calls/s");
            System.out.println("call: p50 " + ms(percentile(times, 0.5)) + " ms, p99 " + ms(percentile(times, 0.99)) + " ms, without commits");
            System.out.println("making rows took " + String.format(Locale.US, "%.1f", generated * 100 / took) + " % of the time");
            System.out.println(checksum(control));
        } finally {
            // After an error, a connection may have a transaction open, which would keep the table from being dropped.
            for (Caller one : callers) try { if (!one.connection.getAutoCommit()) one.connection.rollback(); one.connection.close(); } catch (SQLException ignored) {}
            if (!made.isEmpty() && !"1".equals(System.getenv("KEEP"))) {
                try (Connection last = open()) { drop(last); }
            }
        }
    }
`.slice(1, -1);
