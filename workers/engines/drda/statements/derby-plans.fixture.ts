/** Plans that Derby 10.16 told, without times, qualifiers' options and compiler's times. Only tests use them. */
export const recorded = {
  scan: `Statement Execution Plan Text: 
Table Scan ResultSet for ORDERS at read committed isolation level using instantaneous share row locking chosen by the optimizer
Number of opens = 1
Rows seen = 1
Rows filtered = 0
Fetch Size = 16
scan information:
	Bit set of columns fetched=All
	Number of columns fetched=3
	Number of pages visited=28
	Number of rows qualified=1
	Number of rows visited=3000
	Scan type=heap
	start position:
		null
	stop position:
		null
	qualifiers:
		Column[0][0] Id: 2
		Operator: =
	optimizer estimated row count: 300.50
	optimizer estimated cost: 856.00`,
  sorted: `Statement Execution Plan Text: 
Sort ResultSet:
Number of opens = 1
Rows input = 30
Rows returned = 30
Eliminate duplicates = false
In sorted order = false
Sort information: 
	Number of rows input=30
	Number of rows output=30
	Sort type=internal
	optimizer estimated row count: 30.05
	optimizer estimated cost: 59.52
Source result set:
	Index Row to Base Row ResultSet for ORDERS:
	Number of opens = 1
	Rows seen = 30
	Columns accessed from heap = {0, 1, 2}
		optimizer estimated row count: 30.05
		optimizer estimated cost: 59.52
		Index Scan ResultSet for ORDERS using index ORDERSIC at read committed isolation level using instantaneous share row locking chosen by the optimizer
		Number of opens = 1
		Rows seen = 30
		Rows filtered = 0
		Fetch Size = 16
		scan information:
			Bit set of columns fetched=All
			Number of columns fetched=2
			Number of deleted rows visited=0
			Number of pages visited=2
			Number of rows qualified=30
			Number of rows visited=31
			Scan type=btree
			Tree height=2
			start position:
				>= on first 1 column(s).
			stop position:
				> on first 1 column(s).
			qualifiers:
				None
			optimizer estimated row count: 30.05
			optimizer estimated cost: 59.52`,
  byKey: `Statement Execution Plan Text: 
Index Row to Base Row ResultSet for ORDERS:
Number of opens = 1
Rows seen = 1
Columns accessed from heap = {1, 2}
	optimizer estimated row count: 1.00
	optimizer estimated cost: 4.79
	Index Scan ResultSet for ORDERS using constraint SQL0000000002-ba784142-01a2-122f-b3e1-00004cc5ffb1 at read committed isolation level using share row locking chosen by the optimizer
	Number of opens = 1
	Rows seen = 1
	Rows filtered = 0
	Fetch Size = 1
	scan information:
		Bit set of columns fetched=All
		Number of columns fetched=2
		Number of deleted rows visited=0
		Number of pages visited=2
		Number of rows qualified=1
		Number of rows visited=1
		Scan type=btree
		Tree height=2
		start position:
			>= on first 1 column(s).
		stop position:
			> on first 1 column(s).
		qualifiers:
			None
		optimizer estimated row count: 1.00
		optimizer estimated cost: 4.79`,
  limited: `Statement Execution Plan Text: 
Row Count (1):
Number of opens = 1
Rows seen = 3
Rows filtered = 0
	optimizer estimated row count: 751.25
	optimizer estimated cost: 1771.54
Source result set:
	Project-Restrict ResultSet (6):
	Number of opens = 1
	Rows seen = 3
	Rows filtered = 0
	restriction = false
	projection = true
		optimizer estimated row count: 751.25
		optimizer estimated cost: 1771.54
	Source result set:
		Hash Exists Join ResultSet:
		Number of opens = 1
		Rows seen from the left = 3
		Rows seen from the right = 3
		Rows filtered = 0
		Rows returned = 3
			optimizer estimated row count: 751.25
			optimizer estimated cost: 1771.54
		Left result set:
			Project-Restrict ResultSet (4):
			Number of opens = 1
			Rows seen = 3
			Rows filtered = 0
			restriction = true
			projection = false
				optimizer estimated row count: 751.25
				optimizer estimated cost: 856.00
			Source result set:
				Table Scan ResultSet for ORDERS at read committed isolation level using instantaneous share row locking chosen by the optimizer
				Number of opens = 1
				Rows seen = 3
				Rows filtered = 0
				Fetch Size = 16
				scan information:
					Bit set of columns fetched=All
					Number of columns fetched=3
					Number of pages visited=1
					Number of rows qualified=16
					Number of rows visited=105
					Scan type=heap
					start position:
						null
					stop position:
						null
					qualifiers:
						Column[0][0] Id: 2
						Operator: <
						Column[0][1] Id: 2
						Operator: <
					optimizer estimated row count: 751.25
					optimizer estimated cost: 856.00
		Right result set:
			Hash Scan ResultSet for ORDERS at read committed isolation level using instantaneous share row locking: 
			Number of opens = 3
			Hash table size = 3000
			Hash key is column number 0
			Rows seen = 3
			Rows filtered = 0
			scan information: 
				Bit set of columns fetched={0, 2}
				Number of columns fetched=2
				Number of pages visited=28
				Number of rows qualified=3000
				Number of rows visited=3000
				Scan type=heap
				start position:
					null
				stop position:
					null
				scan qualifiers:
					None
				next qualifiers:
					Column[0][0] Id: 0
					Operator: =
				optimizer estimated row count: 751.25
				optimizer estimated cost: 915.54`,
  lower: `Statement Execution Plan Text: 
Project-Restrict ResultSet (2):
Number of opens = 1
Rows seen = 3000
Rows filtered = 2999
restriction = true
projection = false
	optimizer estimated row count: 300.50
	optimizer estimated cost: 856.00
Source result set:
	Table Scan ResultSet for ORDERS at read committed isolation level using instantaneous share row locking chosen by the optimizer
	Number of opens = 1
	Rows seen = 3000
	Rows filtered = 0
	Fetch Size = 16
	scan information:
		Bit set of columns fetched=All
		Number of columns fetched=3
		Number of pages visited=28
		Number of rows qualified=3000
		Number of rows visited=3000
		Scan type=heap
		start position:
			null
		stop position:
			null
		qualifiers:
			None
		optimizer estimated row count: 300.50
		optimizer estimated cost: 856.00`,
  nested: `Statement Execution Plan Text: 
Project-Restrict ResultSet (7):
Number of opens = 1
Rows seen = 231
Rows filtered = 0
restriction = false
projection = true
	optimizer estimated row count: 142.74
	optimizer estimated cost: 1167.49
Source result set:
	Nested Loop Join ResultSet:
	Number of opens = 1
	Rows seen from the left = 20
	Rows seen from the right = 231
	Rows filtered = 0
	Rows returned = 231
		optimizer estimated row count: 142.74
		optimizer estimated cost: 1167.49
	Left result set:
		Index Row to Base Row ResultSet for ORDERS:
		Number of opens = 1
		Rows seen = 20
		Columns accessed from heap = {0, 1}
			optimizer estimated row count: 19.00
			optimizer estimated cost: 36.52
			Index Scan ResultSet for ORDERS using constraint SQL0000000003-89b28185-01a2-122f-b3e1-00004cc5ffb1 at read committed isolation level using instantaneous share row locking chosen by the optimizer
			Number of opens = 1
			Rows seen = 20
			Rows filtered = 0
			Fetch Size = 16
			scan information:
				Bit set of columns fetched=All
				Number of columns fetched=2
				Number of deleted rows visited=0
				Number of pages visited=2
				Number of rows qualified=20
				Number of rows visited=21
				Scan type=btree
				Tree height=2
				start position:
					None
				stop position:
					>= on first 1 column(s).
					0 
				qualifiers:
					None
				optimizer estimated row count: 19.00
				optimizer estimated cost: 36.52
	Right result set:
		Project-Restrict ResultSet (6):
		Number of opens = 20
		Rows seen = 600
		Rows filtered = 369
		restriction = true
		projection = true
			optimizer estimated row count: 142.74
			optimizer estimated cost: 1130.97
		Source result set:
			Index Row to Base Row ResultSet for ORDERS:
			Number of opens = 20
			Rows seen = 600
			Columns accessed from heap = {1, 2}
				optimizer estimated row count: 142.74
				optimizer estimated cost: 1130.97
				Index Scan ResultSet for ORDERS using index ORDERSIC at read committed isolation level using instantaneous share row locking chosen by the optimizer
				Number of opens = 20
				Rows seen = 600
				Rows filtered = 0
				Fetch Size = 16
				scan information:
					Bit set of columns fetched=All
					Number of columns fetched=2
					Number of deleted rows visited=0
					Number of pages visited=43
					Number of rows qualified=600
					Number of rows visited=620
					Scan type=btree
					Tree height=2
					start position:
						>= on first 1 column(s).
					stop position:
						> on first 1 column(s).
					qualifiers:
						None
					optimizer estimated row count: 142.74
					optimizer estimated cost: 1130.97`,
  grouped: `Statement Execution Plan Text: 
Project-Restrict ResultSet (4):
Number of opens = 1
Rows seen = 100
Rows filtered = 0
restriction = false
projection = true
	optimizer estimated row count: 1.00
	optimizer estimated cost: 677.06
Source result set:
	Grouped Aggregate ResultSet:
	Number of opens = 1
	Rows input = 3000
	Has distinct aggregate = false
	In sorted order = true
		optimizer estimated row count: 3005.00
		optimizer estimated cost: 677.06
	Source result set:
		Project-Restrict ResultSet (3):
		Number of opens = 1
		Rows seen = 3000
		Rows filtered = 0
		restriction = false
		projection = true
			optimizer estimated row count: 3005.00
			optimizer estimated cost: 677.06
		Source result set:
			Index Scan ResultSet for ORDERS using index ORDERSIC at read committed isolation level using instantaneous share row locking chosen by the optimizer
			Number of opens = 1
			Rows seen = 3000
			Rows filtered = 0
			Fetch Size = 16
			scan information:
				Bit set of columns fetched={0}
				Number of columns fetched=1
				Number of deleted rows visited=0
				Number of pages visited=18
				Number of rows qualified=3000
				Number of rows visited=3000
				Scan type=btree
				Tree height=2
				start position:
					None
				stop position:
					None
				qualifiers:
					None
				optimizer estimated row count: 3005.00
				optimizer estimated cost: 677.06`,
} as const;
