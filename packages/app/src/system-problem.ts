/** What the machine refused, for a person. */
interface SystemProblem {
  readonly message: string;
  readonly hint: string;
}

const REFUSALS: Readonly<Record<string, { readonly reason: string; readonly hint: string }>> = {
  ENOSPC: {
    reason: "the disk is full",
    hint: "make room on it, then try again; skillwright runs prune --keep <number> removes old runs",
  },
  EDQUOT: {
    reason: "the disk quota is used up",
    hint: "make room, then try again; skillwright runs prune --keep <number> removes old runs",
  },
  EROFS: {
    reason: "the file system is read-only",
    hint: "make it writable, or work elsewhere: --cwd names another project, XDG_STATE_HOME another place for state",
  },
  EACCES: {
    reason: "permission denied",
    hint: "give yourself permission to write there, or work elsewhere: --cwd names another project",
  },
};

const MAX_CAUSES = 5;

/** In words, with what to do about it, when the operating system is behind an error. */
export function systemProblem(error: Error): SystemProblem | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    const { code = "", path, message } = cause as NodeJS.ErrnoException;
    const refusal = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
    if (refusal !== undefined) {
      const { reason, hint } = refusal;
      const where = error.message === message && path !== undefined ? `${path}: ` : "";
      return { message: where + error.message.replace(message, reason), hint };
    }
    ({ cause } = cause);
  }
  return undefined;
}
