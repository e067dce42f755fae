/** What a server may take of us. Bytes are counted as they come in, before anything is parsed. */
export interface HostLimits {
  readonly connectMs: number;
  /** Of one page of a list, and of one file. */
  readonly requestMs: number;
  /** Of a whole list with all its pages. */
  readonly listMs: number;
  readonly callMs: number;
  readonly messageBytes: number;
  /** Between two requests of ours, with everything that nobody asked for. */
  readonly floodBytes: number;
  readonly pages: number;
  readonly skills: number;
  readonly tools: number;
  /** Of all entries of a list, as JSON. */
  readonly listBytes: number;
  readonly skillFiles: number;
  readonly skillBytes: number;
  /** Of a SKILL.md, as for skills in folders. */
  readonly skillFileBytes: number;
  /** Of one tool's schema, as JSON. */
  readonly schemaBytes: number;
  /** Of what a tool gives; the middle of more is left out. */
  readonly resultCharacters: number;
  readonly logBytes: number;
  /** How often in a row a server is started before it is given up. */
  readonly attempts: number;
  /** Doubles with each attempt that fails. */
  readonly backOffMs: number;
  readonly maxBackOffMs: number;
}

const MIB = 1024 * 1024;

/** Files and bytes of a skill are what the extension asks every host to accept. */
export const HOST_LIMITS: HostLimits = {
  connectMs: 15_000,
  requestMs: 30_000,
  listMs: 30_000,
  callMs: 120_000,
  // The largest file, as base64 in JSON.
  messageBytes: 24 * MIB,
  floodBytes: 64 * MIB,
  pages: 64,
  skills: 1000,
  tools: 128,
  listBytes: 16 * MIB,
  skillFiles: 512,
  skillBytes: 16 * MIB,
  skillFileBytes: MIB,
  schemaBytes: 32 * 1024,
  resultCharacters: 100_000,
  logBytes: 16 * 1024,
  attempts: 5,
  backOffMs: 500,
  maxBackOffMs: 30_000,
};
