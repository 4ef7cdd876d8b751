/**
 * Every number that bounds something, with its reason. Durations in milliseconds, sizes in bytes unless the name says
 * otherwise. A number that somebody may set is a default here.
 */
export const limits = {
  /** Largest JSON-RPC message each way, envelope included: above what real servers send, small enough to hold a few. */
  messageBytes: 16 * 1024 * 1024,
  /**
   * Longest integer held as bigint, sign included; a longer one is kept as text. Twice the modulus of an RSA key of 8,192 bits, the
   * largest integers people send. The work grows with the square: a message full of such integers is read in 0.2 s, one of a million
   * digits alone would take as long.
   */
  integerDigits: 4_096,
  /** Bytes without a line end after which a stdout stream is no MCP stream any more and its session ends. */
  unbrokenBytes: 64 * 1024 * 1024,
  /** Headers before one Content-Length frame: two short lines in every known server. */
  headerBlockBytes: 8 * 1024,
  /** How much of the end of stderr is kept for error messages. */
  stderrTailBytes: 8 * 1024,
  /** How much of a dropped line is kept: its `id` stands near the start in every known server. */
  droppedLineHeadBytes: 512,
  /** Length of the sample shown of stdout noise. */
  noiseSampleCharacters: 200,
  /** Bytes waiting to be written to one server before further sends fail. */
  writeQueueBytes: 64 * 1024 * 1024,
  /** What a message that waits there takes beside its text: without it a million answers to pings would count as little. */
  queuedMessageBytes: 1_024,
  /** A write to a server's input that the system takes whole or not at all: a page, as it does for pipes (PIPE_BUF) and local sockets. */
  wholeWriteBytes: 4_096,

  /** Idle limit of a request; renewed by progress. The specification leaves it to clients; 60 s is the SDKs' habit. */
  requestIdleMs: 60_000,
  /** Total limit of a request whatever its progress. */
  requestTotalMs: 600_000,
  /** Smallest and largest idle limit a model may ask for. */
  toolTimeoutSeconds: { least: 1, most: 300 },
  /** First start of a launcher whose package is not cached: a cold npx of a large package on a slow line. */
  launcherFirstStartMs: 180_000,
  /** How long npx's cached package without exact version is started without asking for a newer one: servers change by days. */
  npxVersionMs: 24 * 3_600_000,
  /** Longest name of a tool or method that a model may give: real ones have 64 at most. */
  toolNameCharacters: 200,
  /** Era probe: from the server's first byte. */
  probeFromFirstByteMs: 3_000,
  /** Era probe: from the start of the process. */
  probeFromSpawnMs: 10_000,
  /** Era probe: of the time there is, the share that silence may take at most; the rest is for a server that waits for initialize. */
  probeShare: 0.5,
  /** How long an era verdict that rests on silence is believed: a day, since a slow start looks the same. */
  silentVerdictMs: 24 * 3_600_000,

  /** Sign of life asked after a cancel or timeout. */
  lifeAfterCancelMs: 2_000,
  /** Traffic on other calls within this time counts as a sign of life. */
  lifeByTrafficMs: 10_000,
  /**
   * A kept connection, or one with a call that old, is asked for a sign of life so often, waits for it so long, and counts as dead
   * after so many in a row that did not come: under two minutes in all, and no single slow moment of a server is enough.
   */
  lifeEveryMs: 30_000,
  lifeAnswerMs: 10_000,
  lifeMisses: 3,
  /** How often traffic is looked at while a server without a sign of life has other calls in flight. */
  lifeLookMs: 250,

  /** Closing a server: after the end of its input, then after SIGTERM. */
  closeGraceMs: 2_000,
  terminateGraceMs: 2_000,
  /** How long the watcher waits between SIGTERM and SIGKILL after its host died. */
  watcherGraceMs: 2_000,
  /** After SIGKILL: only a process that waits inside the system (a dead network drive) is still there by then. */
  killedGraceMs: 5_000,
  /** Between two looks at a tree that is ending: short at first, since most end at once. */
  treePollMs: { least: 10, most: 100 },
  /** A watcher that was told to go and is still there is killed. */
  watcherCloseMs: 1_000,
  /** How often a watcher that somebody killed is replaced at once; after that, only when the next server starts. */
  watcherLosses: 5,
  /** How much of PATH is shown where a command was not found. */
  shownPathCharacters: 400,
  /** Between the exit of a server and the end of its output streams, which a grandchild may hold open. */
  drainAfterExitMs: 250,

  /** Pages and items of one list; beyond either it is an error, since no model can use more. */
  listPages: 100,
  listItems: 16_384,

  /** Sessions held at once. */
  poolEntries: 64,
  /** Idle time after which a lazy session is closed. */
  idleMinutes: 10,
  /**
   * A keep-alive server that was lost is tried anew after a pause that doubles from the first to the longest, made longer or
   * shorter by a share so that many do not come at one moment; some five minutes in all, in which a machine has started again. A
   * connection that held `settledMs` starts the count anew: longer than a server takes to die of how it was started.
   */
  reconnect: {
    tries: 10,
    firstPauseMs: 1_000,
    longestPauseMs: 60_000,
    shortestPauseMs: 100,
    jitter: 0.25,
    settledMs: 10_000,
  },
  /** Era verdicts remembered on disk: more than anybody configures; beyond it the oldest go. */
  eraVerdicts: 512,
  /** Runs of package launchers remembered on disk, for the same reason. */
  launcherRuns: 512,
  /** What one burst of dials teaches is written together. */
  memoryWriteDelayMs: 200,
  /** How often the settings file is looked at: twice a call would cost more than the setting is worth. */
  settingsLookMs: 1_000,
  /**
   * How old the look at the configuration and at a descriptor may be that a call relies on: shorter than the way of a person or
   * program from a change to a call, and longer than many calls, each of which would pay for two looks of its own.
   */
  callLookMs: 10,
  /** How long a person is waited for: long enough to read a question beside other work; who does not answer is not there. */
  questionMs: 300_000,
  /** Questions open at once in one runtime, beyond which the oldest count as answered by no: no person answers as many. */
  openQuestions: 256,
  /** Questions that one request may ask after another: its server, once that told of its tools, the tool; a sign-in, and one for more. */
  questionsARequest: 5,
  /** Noes to calls of a tool, or uses of a server, that end questions about it until the person speaks: one may have been to arguments. */
  refusedCalls: 2,
  /** How much of arguments, a command or a list of names a question shows. */
  questionFactCharacters: 400,
  /** How much of the command or address that a yes lets start: whole for all that people write, a screenful at most. */
  questionEntryCharacters: 4_000,
  /** Parts of one changed tool that a sync shows: a tool with more changes is another tool. */
  shownParts: 12,
  /** What a first call lets its sync spend on lists other than the tools: a list that hangs must not fail the call. */
  firstSyncListsMs: 5_000,
  /** Servers synced at once: each may be a process tree that starts up. */
  syncsAtOnce: 4,
  /** What a reload lets one server's sync take in all: as long as the first start of a launcher. */
  reloadServerMs: 180_000,
  /** Servers that `doctor` looks at at once, and what each may take: a person waits, and a server that hangs must not hold up more than itself. */
  doctorAtOnce: 16,
  doctorServerMs: 30_000,
  /** Between two looks at what earlier runs left: a watcher needs less to end what its Trestle had (watcherGraceMs, and some). */
  leakSecondLookMs: 3_500,
  /** Registry findings that `doctor` tells one by one; `validate` tells all. */
  doctorFindings: 5,
  /** Reading the lists that a server says have changed: nobody waits for it, and it may be large. */
  refreshMs: 60_000,
  /**
   * Between two such readings of one server: long enough to take a burst of notices as one, short enough that a person who adds a
   * tool finds it. It doubles while the server does not rest by itself, since some tell of changes whenever they are asked; less far
   * where each reading found something new.
   */
  refreshRestMs: { least: 250, mostIfNew: 5_000, most: 60_000 },
  /** Descriptors a runtime remembers beside the registry: the tools that one host calls again and again. */
  descriptorsKept: 1_024,

  /** Names offered for one that does not exist, and how many a hint may list in full. */
  nearestNames: 3,
  namesInHint: 12,

  /**
   * Sign-in: one request to an authorization server, which answers within a second or is in trouble; what of its answer is read, where real
   * ones have some KiB; how long a person may take on its pages; connections of a browser to the page that receives the answer; how
   * long before its end a token is no longer used, since a request takes time and clocks differ; how long an assertion of ours holds; how
   * long whoever wants a token waits for another process that asks for it and keeps it, which may take a request and a keychain.
   */
  signIn: {
    requestMs: 20_000,
    bodyBytes: 256 * 1024,
    personMs: 10 * 60_000,
    callbackConnections: 16,
    earlyMs: 10_000,
    assertionSeconds: 120,
    aloneMs: 50_000,
  },
  /** How often one request may go out in all: refused for a nonce that it lacked, then for a token that had expired, then for good. */
  authorizedTries: 3,
  /** Redirects followed within one origin. */
  redirects: 5,
  /** Bytes of a body that are read in one turn: the system would hand over megabytes, and nothing else would be done meanwhile. */
  bodyTurnBytes: 64 * 1024,
  /** Bytes read of an HTTP error body. */
  errorBodyBytes: 64 * 1024,
  /** How long an HTTP error body, or one nobody wants, is read: some never end. */
  unwantedBodyMs: 1_000,
  /** What is kept of an HTTP error body for people: a sentence or two. */
  errorExcerptCharacters: 300,
  /** Saying goodbye to an HTTP session: a server that is slow to let go is not waited for, since a host may end within a second. */
  sessionDeleteMs: 800,
  /** How long a response stream may go on after its answer before its connection is dropped: nearly all end at once. */
  streamLingerMs: 250,
  /** A cancelled request's own POST is dropped when the notice of it has arrived, at the latest after this time. */
  cancelNoticeMs: 1_000,
  /**
   * The optional stream for messages of the server's own: pauses between tries double from the first to the longest; a stream
   * that held `settledMs` starts the count of tries anew.
   */
  standby: { tries: 8, firstPauseMs: 1_000, longestPauseMs: 30_000, settledMs: 10_000 },
  /**
   * A request's own stream that was cut is resumed so often in all: once a second for the whole of requestTotalMs, since a server
   * may cut on purpose and be asked again. So many tries in a row may fail before the call ends: a restart is over by then. The
   * pause where the server asked for none.
   */
  resume: { most: 600, failuresInRow: 5, pauseMs: 1_000 },
  /** Longest event id sent back: servers use counters and UUIDs, and most refuse headers beyond 8 KiB. */
  eventIdBytes: 1_024,
  /**
   * Event dialect: calls of one session that wait for their turn, since only one may run; after a timeout or cancel, how long a new
   * stream may take to greet, the server having been there a moment ago; how long the `error` event is waited for whose POST was
   * answered with a 5xx; and how long a `tools` event is waited for when HTTP+SSE has failed: servers send it first of all.
   */
  dialect: { waitingCalls: 256, redialMs: 10_000, errorEventMs: 500, toolsEventMs: 500 },
  /** TCP and TLS of one connection; the same once more for a proxy that is asked to connect. */
  connectMs: 10_000,
  /** Proxies with connections through them; each caller of a long-lived host may have its own. */
  tunnelProxies: 64,
  /**
   * Silence on a connection after which the system asks the other side; some ten seconds without an answer break it. Under the
   * minute after which many routers forget a silent connection.
   */
  tcpKeepAliveMs: 30_000,
  /** Smallest and largest reconnection time an SSE server may ask for. */
  sseRetryMs: { least: 1_000, most: 30_000 },

  /** What is shown of one result. */
  shownBytes: 50 * 1024,
  shownLines: 2_000,
  /** Largest image handed to a model, in characters of base64: model providers refuse larger ones. */
  imageBase64Characters: 5 * 1024 * 1024,
  /** Images shown of one result, so that a burst of them cannot fill a conversation. */
  shownImages: 20,
  /** Raw result handed to a host beside what is shown. */
  detailsBytes: 16 * 1024,
  /** Age after which a spilled output is removed: a week, longer than any conversation that refers to it. */
  spillAgeMs: 7 * 24 * 3_600_000,
  /** How often a host looks for such: far less than the age, and the look is one reading of a folder. */
  spillSweepMs: 3_600_000,

  /** Registry lock: a holder refreshes its stamp this often; a stamp older than `lockStaleMs` is a dead holder's. */
  lockRefreshMs: 500,
  lockStaleMs: 1_500,
  /** The same for a holder whose process is known to live: it is busy in one long step, or suspended and must not block for ever. */
  lockSuspendedMs: 5_000,
  /** How long a sync waits for another one. */
  lockWaitMs: 30_000,
  /** How often a waiting process looks at a lock: short against the work done under it, long against a look's cost. */
  lockPollMs: 25,
  /** Attempts at a sync whose lock was lost because its process stood still; each starts from what is on the disk. */
  lockAttempts: 3,

  /** Longest name of a secret: names of sign-ins hold an address. */
  secretNameCharacters: 400,
  /** Longest secret: a private key of 16,384 bits has 13,000 characters, and tokens with all claims in them a few thousand. */
  secretCharacters: 64 * 1024,
  /** How long the system's keychain may take: a person may have to unlock it first. */
  keychainMs: 30_000,
  /** Longest item of the keychain of Windows, which allows 2,560 bytes; the rest is room for what libraries add. */
  keychainItemCharacters: 1_200,

  /** Largest file a model may name to see its servers: hosts' own files hold some KiB of them, with their history a few MiB. */
  namedFileBytes: 4 * 1024 * 1024,
  /** Servers that one file of a project may ask for: more is no project's need, and each costs a look at its approval. */
  projectServers: 256,
  /** Folders whose project files are kept read; a daemon serves one for each folder that somebody works in. */
  projectViews: 64,
  /** Hex digits of a project file's mark in the name of a registry folder: enough for all projects of a person. */
  projectMarkDigits: 8,
  /** Largest file of another tool that `import` reads: Claude Code keeps its history beside the servers, many MiB of it after years. */
  importFileBytes: 64 * 1024 * 1024,
  /** Levels of such a file: what is deeper is no configuration, and the stack must not decide where it ends. */
  importLevels: 100,
  /** How much of a name that somebody else chose stands in a message: all of a good one, and not all of a hostile one. */
  shownNameCharacters: 100,
  /** Length of a server's name: it becomes a folder and the first half of `server__tool`. */
  serverNameCharacters: 64,
  /** Longest name that is its own file name: what the protocol recommends for tools. */
  plainKeyCharacters: 128,
  /** The readable beginning of other file names, and hex digits of the digest after it (80 bits). */
  keyBeginningCharacters: 40,
  keyDigestCharacters: 20,
  /** Names are compared for likeness up to here; the work grows with the square. */
  nearestCharacters: 128,

  /** Levels of what is kept of a server: real schemas have a dozen, and from some thousands on writing them exhausts the stack. */
  storedLevels: 512,
  /**
   * Levels of what a server sends; real results have twenty. What is deeper can be read, but writing it, comparing it and walking through it
   * exhausts the stack from some thousand on. More than `storedLevels`, so that an item of a list that is too deep is seen to be.
   */
  messageLevels: 800,
  /** Levels of arguments: theirs have ten. Some writers of JSON exhaust the stack from two thousand on, in a small stack from one thousand. */
  writtenLevels: 512,
  /** Files one sync writes between two looks at its lock and two flushes of a folder: well under lockRefreshMs of work. */
  filesPerBatch: 64,
  /**
   * Descriptions are cut in the registry's index, the descriptor has the whole. The index is read at every start: 2,500 tools
   * with 100 characters are parsed in 1.2 ms, with 200 in 4 to 15 (the collector starts). No list shows more than 80.
   */
  indexDescriptionCharacters: 120,
  /** Of a server's instructions there: twice what the block shows, since cleaning takes away. To read 36 files for them takes 4 ms. */
  indexInstructionsCharacters: 640,
  /** Tools up to which the index of one server is compared with every file and not only with the folder: 500 looks cost 2 ms. */
  indexStatFiles: 500,
  /** What of one field of a tool is searched: the longest real descriptions have some 10,000 characters, and say first what they are for. */
  searchFieldCharacters: 8_000,
  /** Parameters of one tool that are searched, and how deep: real tools have a hundred in four levels; a schema may be a million. */
  searchParameters: 500,
  searchSchemaLevels: 8,
  /** What of a query is looked at: a long task has 3,000 characters, and what comes after 64 words of it changes no order. */
  searchQueryCharacters: 8_000,
  searchQueryWords: 64,
  /** Things that a query lists, by commas or "or", which count each for itself: models list three or four, and each has a number for every tool. */
  searchQueryParts: 8,
  /** Words that no tool has, for each of which words that it may mean are looked for: each costs up to 1 ms with 10,000 tools. */
  searchGuessedWords: 8,
  /** Tools on one page of a search, unless more are asked for, and the most that may be. Ten hold nine of ten that are wanted. */
  searchPageTools: { usual: 10, most: 100 },
  /** Retries of a rename that Windows refuses while a virus scanner or another reader holds the target, and the time between. */
  renameAttempts: 20,
  renameRetryMs: 25,

  /** JSON Schemas beyond these are not interpreted: the call is sent with a note and the server decides. */
  schemaBytes: 256 * 1024,
  schemaNodes: 5_000,
  schemaDepth: 64,
  /** Steps and wall time one argument check may take: for the largest real schema it is a hundredth of either. */
  checkSteps: 200_000,
  checkMs: 250,
  /** Wall time of one output schema check. */
  outputCheckMs: 100,
  /** Compiled output schemas kept: the tools of a few servers. */
  compiledSchemas: 64,
  /** Pattern and text lengths beyond which a `pattern` is not tried: regular expressions may take exponential time. */
  patternCharacters: 256,
  patternInputCharacters: 4_096,
  /** Wall time of all patterns of one argument check together: a good pattern takes microseconds. */
  patternMs: 100,
  /** Levels one argument check may go down, `$ref` included; keeps the stack far from its end. */
  checkDepth: 256,
  /** Problems told at once: more than anybody repairs in one step. */
  argumentProblems: 10,

  /** Largest values that a configuration may ask for: a day for a timeout, a week of idleness, guard limits no model could use. */
  timeoutSeconds: 86_400,
  idleMinutesMost: 10_080,
  guardMost: 1024 * 1024 * 1024,

  /** Instructions, descriptions and names of servers are cut where they are shown, not where they are stored. */
  descriptionCharacters: 4_096,
  instructionsCharacters: 16_384,

  /** Requests of one server that wait for an answer at once; more are refused, since nobody can look at so many. */
  serverRequests: 64,
  /** Requests of a server held back until the handshake is over; none may come earlier but `ping`. */
  earlyRequests: 16,
  /** How long the host may take to answer a server's sampling or elicitation: a person has to read and decide. */
  portAnswerMs: 300_000,
  /** Rounds of questions a server may ask within one request or task (2026-07-28): the reference client's habit. */
  inputRounds: 10,
  /** Before a request is sent again that a server answered by nothing but a state: it wants to be asked later. Doubles. */
  inputPauseMs: { first: 250, longest: 5_000 },
  /** Between two looks at a task: where the server says nothing, and the bounds of what it may say. */
  taskPollMs: { unsaid: 1_000, least: 100, most: 30_000 },
  /** Looks at a task in a row that may fail on their way: with the pauses between, a front end's restart. */
  taskPollFailures: 3,
  /** How long the answer to `tasks/cancel` is waited for, which nobody does but the closing of the session. */
  taskCancelMs: 2_000,
  /**
   * Listening for changes (2026-07-28): how long the acknowledgement is waited for, which a server sends first of all; how many
   * streams in a row may lack it; the pauses between streams, which double from the first to the longest, so that a server that
   * cannot hold one costs a request a minute; the share by which chance changes them; how long a stream has to hold to begin anew.
   */
  listen: {
    acknowledgeMs: 10_000,
    unacknowledged: 2,
    firstPauseMs: 1_000,
    longestPauseMs: 60_000,
    jitter: 0.25,
    settledMs: 10_000,
  },
  /** How long a session that closes waits for what it is still telling the server. */
  lastWordsMs: 500,
  /** Broken list items named one by one; the rest is only counted. */
  listProblems: 100,
  /** How long other calls of a lost HTTP session may still collect their own answers before it is torn down. */
  lostSessionGraceMs: 2_000,
  /** Length of a server's own words inside one of our messages. */
  quotedCharacters: 400,

  /** The daemon ends so long after its last client: longer than a person's pauses, shorter than a forgotten evening. */
  daemonIdleMs: 15 * 60_000,
  /** How long a daemon that was told to end lets running requests finish. */
  daemonDrainMs: 10_000,
  /** And how long its servers may take to leave afterwards: every grace of theirs, and some. */
  daemonEndMs: 12_000,
  /** How often the daemon looks whether its home, record and program are still there. */
  daemonLookMs: 5_000,
  /** A record of another machine or container that was not touched for so long is a dead daemon's: three looks. */
  daemonForeignMs: 15_000,
  /** How long a client waits for a daemon that it started: Node.js starts in a tenth of a second, on a busy machine in some. */
  daemonStartMs: 10_000,
  /** How often it looks for it meanwhile. */
  daemonStartPollMs: 10,
  /** How long both sides wait for each other's part of the handshake: a busy daemon answers in milliseconds. */
  daemonHelloMs: 5_000,
  /**
   * A client with a request under way asks so often whether the daemon lives, and more often where the request has less time; three
   * times without an answer, and it does not.
   */
  daemonPingMs: { least: 500, most: 5_000 },
  daemonPings: 3,
  /** A cancelled request's own outcome is waited for so long: it says what the server may have done. */
  daemonCancelMs: 1_000,
  /** How often a client tries anew when the daemon ends just as it is reached. */
  daemonAttempts: 4,
  /** Bytes of a frame before the other side has proven itself, and afterwards: a result twice, as sent and as shown, with its envelope. */
  daemonHelloBytes: 16 * 1024,
  daemonFrameBytes: 64 * 1024 * 1024,
  /** Bytes that may wait for a client that does not read before its connection is cut. */
  daemonUnsentBytes: 128 * 1024 * 1024,
  /** Events kept for a client that does not read; beyond it is told that there were more. A storm of reconnections has some dozens. */
  daemonKeptEvents: 256,
  /** How often a client that listens looks for a daemon where none runs, which is one look at a file: a person may start one at any time. */
  daemonListenLookMs: 1_000,
  /** Connections at once, requests of one of them, homes (Trestle's and Pi's) and callers remembered: none is reached by honest use. */
  daemonConnections: 512,
  daemonRequests: 256,
  daemonPlaces: 16,
  daemonCallers: 256,
  /** Longest path of a Unix socket: 104 bytes on macOS, 108 on Linux, its end included. */
  socketPathBytes: 100,
  /** The daemon's log; as much again is kept of what was before. */
  daemonLogBytes: 1024 * 1024,

  /** What the text about servers and tools may cost when no setting says otherwise, in tokens: a fiftieth of a usual window. */
  contextBudgetTokens: 4_000,
  /** Largest budget that can be asked for: beyond any window, and counted within a second. */
  contextBudgetMost: 1_000_000,
  /** Tools in all up to which their schemas stand in that text: a median schema has 200 tokens. */
  schemaToolLimit: 10,
  /** Servers' own words in it: a sentence about the server, the beginning of its instructions. */
  blockDescriptionCharacters: 120,
  blockInstructionsCharacters: 320,
  /** Texts that are tried and counted for one block, each nearer to the budget: six are within a percent. */
  blockTries: 8,
  /** A block that fills this share of its budget is not made again for the rest. */
  blockFilledShare: 0.97,
  /** One that fills less of it, though a server could be shown with more, is filled by exact counts of single servers. */
  blockRefilledShare: 0.9,
  /** Blocks that a runtime remembers, to tell when they change: a host has one or two. */
  keptBlocks: 16,
  /** Counts kept beside their texts' hashes, over processes: some blocks of some hosts and budgets, and their tries. */
  tokenCounts: 256,
  /** Choices for blocks kept over processes: of some projects, each with and without files. */
  blockChoices: 32,
  /** How soon a host's line about servers follows what happened: many events at once are one look at files. */
  footerEveryMs: 250,
  /** Longest run of letters, signs or spaces that is tokenized in one piece: the work grows with its square, and this takes 0.1 ms. */
  tokenizedRunCharacters: 500,

  /** Raw result handed to a script in a host: eighty times what a model is shown, and a line of JSON that a host can still read. */
  scriptResultBytes: 4 * 1024 * 1024,
  /** What a host shows of a call while it runs: one line, the newest, a few times a second. */
  updateEveryMs: 200,
  updateCharacters: 160,
  /** What a host draws of a result: a line's beginning when it is folded, a screenful of screens when it is not. */
  renderedCharacters: 500,
  renderedLines: 500,
  /** Who has typed nothing for so long may be asked something: what they type would answer. */
  typingPauseMs: 1_000,
  /** What comes so soon after one another is told together, and at most so much of it line by line. */
  noticesGatherMs: 500,
  noticesAtOnce: 5,
  /** How long a host that ends waits for its servers to leave at their end of input; the rest is left to the watcher. */
  hostCloseMs: 600,
  /** After the start of a host's session: by then a prompt that came with it is on its way, and the look at all servers delays nobody. */
  hostReconcileMs: 300,
} as const;
