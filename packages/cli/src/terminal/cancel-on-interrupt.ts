const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The first Ctrl-C ends the work cleanly; the second one ends the process, as usual. */
export async function cancelOnInterrupt<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  controller = new AbortController(),
): Promise<Result> {
  const cancel = () => {
    controller.abort();
    stop();
  };
  const stop = () => {
    for (const name of SIGNALS) process.off(name, cancel);
  };
  for (const name of SIGNALS) process.on(name, cancel);
  try {
    return await work(controller.signal);
  } finally {
    stop();
  }
}
