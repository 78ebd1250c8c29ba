import { fieldsOf, parseInOrder } from '../text/json-in-order.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Fields without side effects that every command may have. */
const everywhere = words(
  'comment maxTimeMS readConcern writeConcern $readPreference apiVersion apiStrict apiDeprecationErrors',
);

/** Matches every name, because the command's fields name the items to show. */
const named = '*';

/** Commands of MongoDB without side effects, each with its fields. An unlisted command or field may write. */
const commands: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    find: 'filter sort projection hint skip limit batchSize singleBatch min max returnKey showRecordId tailable awaitData allowPartialResults collation allowDiskUse let',
    aggregate: 'pipeline explain allowDiskUse cursor collation hint let',
    count: 'query limit skip hint collation',
    distinct: 'key query collation hint',
    explain: 'verbosity',
    listCollections: 'filter nameOnly authorizedCollections cursor',
    listDatabases: 'filter nameOnly authorizedDatabases',
    listIndexes: 'cursor',
    collStats: 'scale',
    collstats: 'scale',
    dataSize: 'keyPattern min max estimate',
    dbStats: 'scale freeStorage',
    dbstats: 'scale freeStorage',
    connectionStatus: 'showPrivileges',
    connPoolStats: '',
    currentOp: named,
    getCmdLineOpts: '',
    getDefaultRWConcern: 'inMemory',
    getLog: '',
    getParameter: named,
    serverStatus: named,
    buildInfo: '',
    buildinfo: '',
    features: '',
    hello: '',
    hostInfo: '',
    isMaster: '',
    ismaster: '',
    listCommands: '',
    ping: '',
    lockInfo: '',
    replSetGetConfig: '',
    replSetGetStatus: '',
    rolesInfo: 'showPrivileges showBuiltinRoles showAuthenticationRestrictions',
    top: '',
    usersInfo: 'showPrivileges showCustomData showAuthenticationRestrictions filter',
    whatsmyuri: '',
  }).map(([command, fields]) => [command, words(fields)]),
);

/** Stages without side effects. Stages in `inner` contain pipelines or conditions. */
const stages = new Set(
  words(`
    $addFields $bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent $collStats $count $currentOp $densify
    $documents $facet $fill $geoNear $graphLookup $group $indexStats $limit $listLocalSessions $listSampledQueries
    $listSearchIndexes $listSessions $lookup $match $planCacheStats $project $queryStats $querySettings $rankFusion
    $redact $replaceRoot $replaceWith $sample $score $scoreFusion $search $searchMeta $set $setWindowFields
    $shardedDataDistribution $skip $sort $sortByCount $unionWith $unset $unwind $vectorSearch`),
);

/**
 * Operators of conditions, expressions, groups and windows, and the types of Extended JSON. The list excludes operators
 * that run JavaScript ($where, $function, $accumulator) and the server's internal ones (“$_…”).
 */
const operators = new Set(
  words(`
    $abs $acos $acosh $add $addToSet $all $allElementsTrue $alwaysFalse $alwaysTrue $and $anyElementTrue $arrayElemAt
    $arrayToObject $asin $asinh $atan $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor $bitsAllClear
    $bitsAllSet $bitsAnyClear $bitsAnySet $bottom $bottomN $box $bsonSize $caseSensitive $ceil $center $centerSphere
    $cmp $comment $concat $concatArrays $cond $const $convert $cos $cosh $count $covariancePop $covarianceSamp $dateAdd
    $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth $dayOfWeek
    $dayOfYear $degreesToRadians $denseRank $derivative $diacriticSensitive $divide $documentNumber $elemMatch
    $encStrContains $encStrEndsWith $encStrNormalizedEq $encStrStartsWith $eq $exists $exp $expMovingAvg $expr $filter
    $first $firstN $floor $geoIntersects $geoWithin $geometry $getField $gt $gte $hour $ifNull $in $indexOfArray
    $indexOfBytes $indexOfCP $integral $isArray $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $jsonSchema $language
    $last $lastN $let $linearFill $literal $ln $locf $log $log10 $lt $lte $ltrim $map $max $maxDistance $maxN $median
    $mergeObjects $meta $millisecond $min $minDistance $minMaxScaler $minN $minute $mod $month $multiply $natural $ne
    $near $nearSphere $nin $nor $not $objectToArray $options $or $percentile $polygon $pow $push $radiansToDegrees $rand
    $range $rank $reduce $regex $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray $round $rtrim
    $sampleRate $search $second $setDifference $setEquals $setField $setIntersection $setIsSubset $setUnion $shift
    $sigmoid $similarityCosine $similarityDotProduct $similarityEuclidean $sin $sinh $size $slice $sortArray $split
    $sqrt $stdDevPop $stdDevSamp $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $subtract $sum
    $switch $tan $tanh $text $toBool $toDate $toDecimal $toDouble $toHashedIndexKey $toInt $toLong $toLower $toObjectId
    $toString $toUUID $toUpper $top $topN $trim $trunc $tsIncrement $tsSecond $type $uniqueDocs $unsetField $week $year
    $zip
    $binary $date $db $id $maxKey $minKey $numberDecimal $numberDouble $numberInt $numberLong $oid $param $ref
    $regularExpression $symbol $timestamp $undefined $uuid`),
);

/** True for a stage, operator or type with which a command cannot change anything. */
export const isReadingName = (name: string): boolean => stages.has(name) || operators.has(name);

/** Operators at the level of the fields of a condition. */
const ofConditions = words('$alwaysFalse $alwaysTrue $comment $expr $jsonSchema $sampleRate $text');
const joining = words('$and $nor $or');

/**
 * True if a command of MongoDB changes nothing, with any parameters: it is judged as it is parsed and sent, with its
 * names in order and without duplicates. A parameter may replace a value. In place of a command, stage, pipeline or
 * whole condition, it makes the command a possible write.
 */
export function readsAsCommand(text: string): boolean {
  try {
    return isReadingCommand(parseInOrder(text, Number));
  } catch {
    return false;
  }
}

/** Types that a document's field may have besides plain values. */
type Judge = (value: unknown) => boolean;

function isReadingCommand(value: unknown): boolean {
  const [[command, subject] = ['', null], ...others] = fieldsOf(value) ?? [];
  const fields = commands.get(command);
  if (fields === undefined) return false;
  const allowed = fields.includes(named)
    ? (name: string) => /^\w+$/.test(name)
    : (name: string) => fields.includes(name);
  const reads: Judge = command === 'explain' ? isReadingCommand : isValue;
  return (
    reads(subject) &&
    others.every(
      ([name, field]) => (allowed(name) || everywhere.includes(name)) && (ofCommand.get(name) ?? isValue)(field),
    )
  );
}

/** A value, or a document with reading operators. */
function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isValue);
  return (fieldsOf(value) ?? []).every(
    ([name, field]) => (!name.startsWith('$') || operators.has(name)) && isValue(field),
  );
}

function isCondition(value: unknown): boolean {
  const fields = fieldsOf(value);
  return (
    fields?.every(([name, field]) => {
      if (joining.includes(name)) return Array.isArray(field) && field.every(isCondition);
      return (!name.startsWith('$') || ofConditions.includes(name)) && isValue(field);
    }) ?? false
  );
}

const isPipeline: Judge = (value) => Array.isArray(value) && value.every(isStage);

function isStage(value: unknown): boolean {
  const [[stage, body] = ['', null], ...others] = fieldsOf(value) ?? [];
  return stages.has(stage) && others.length === 0 && (inner.get(stage) ?? isValue)(body);
}

const concerns: readonly unknown[] = ['local', 'available', 'majority', 'snapshot'];

const ofCommand: ReadonlyMap<string, Judge> = new Map([
  // With a linearizable read the primary writes to its oplog, and a parameter may have this level.
  [
    'readConcern',
    (value) => fieldsOf(value)?.every(([name, level]) => name === 'level' && concerns.includes(level)) ?? false,
  ],
  ['filter', isCondition],
  ['query', isCondition],
  ['pipeline', isPipeline],
]);

/** Judges a document by the names of its fields; an unlisted field contains a value. */
const withFields =
  (allowed: readonly string[] | null, judges: Readonly<Record<string, Judge>>): Judge =>
  (value) =>
    fieldsOf(value)?.every(
      ([name, field]) =>
        (allowed?.includes(name) ?? !name.startsWith('$')) &&
        (Object.hasOwn(judges, name) ? judges[name]! : isValue)(field),
    ) ?? false;

const eachPipeline: Judge = (value) => fieldsOf(value)?.every(([, field]) => isPipeline(field)) ?? false;
const fusion = withFields(null, { input: withFields(words('pipelines normalization'), { pipelines: eachPipeline }) });
const union = withFields(words('coll pipeline'), { pipeline: isPipeline });

const inner: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['$facet', eachPipeline],
  ['$geoNear', withFields(null, { query: isCondition })],
  ['$graphLookup', withFields(null, { restrictSearchWithMatch: isCondition })],
  ['$lookup', withFields(words('from localField foreignField let pipeline as'), { pipeline: isPipeline })],
  ['$match', isCondition],
  ['$rankFusion', fusion],
  ['$scoreFusion', fusion],
  ['$unionWith', (value) => typeof value === 'string' || union(value)],
  ['$vectorSearch', withFields(null, { filter: isCondition })],
]);
