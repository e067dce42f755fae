/** What one process takes on at most, so that nobody can use all of it. */
export interface HttpLimits {
  /** Bytes of a request's body. Default: 4 MiB. */
  readonly bodyBytes: number;
  /** Bytes of all bodies that are being sent; beyond, who takes the longest is cut off. Default: 64 MiB. */
  readonly allBodyBytes: number;
  /** Sessions at the same time; more are refused. Default: 128. */
  readonly sessions: number;
  /** A session that nobody used for so long ends. Default: 10 minutes. */
  readonly idleMilliseconds: number;
  /** At the limit, one that was idle for so long makes room. Default: 1 minute. */
  readonly evictableMilliseconds: number;
  /** Requests of one session that are not answered yet. Default: 32. */
  readonly requestsOfSession: number;
  /** Connections at the same time. Default: 512. */
  readonly connections: number;
  /** Bytes that wait for one client to read them; beyond, it is cut off. Default: 32 MiB. */
  readonly waitingBytes: number;
  /**
   * Bytes that wait for all clients; beyond, those that read the slowest are cut off, or where nobody is
   * slow, new requests are refused. Default: 128 MiB.
   */
  readonly allWaitingBytes: number;
  /** A client that takes nothing of what waits for it is cut off after so long. Default: 30 s. */
  readonly stallMilliseconds: number;
  /** And after so long when too much waits for all. Default: 2 s. */
  readonly slowMilliseconds: number;
  /** For the head of a request. Default: 10 s. */
  readonly headMilliseconds: number;
  /** For the whole of a request. Default: 30 s. */
  readonly requestMilliseconds: number;
}

const MEBIBYTE = 1024 * 1024;

export const HTTP_LIMITS: HttpLimits = {
  bodyBytes: 4 * MEBIBYTE,
  allBodyBytes: 64 * MEBIBYTE,
  sessions: 128,
  idleMilliseconds: 10 * 60_000,
  evictableMilliseconds: 60_000,
  requestsOfSession: 32,
  connections: 512,
  waitingBytes: 32 * MEBIBYTE,
  allWaitingBytes: 128 * MEBIBYTE,
  stallMilliseconds: 30_000,
  slowMilliseconds: 2000,
  headMilliseconds: 10_000,
  requestMilliseconds: 30_000,
};
