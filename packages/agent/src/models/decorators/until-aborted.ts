/**
 * What the promise gives, or undefined as soon as the signal comes. Leaves no listener behind: the
 * signal of a run lives through many decisions.
 */
export async function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value | undefined> {
  if (signal === undefined) return promise;
  let end: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
