const INTERVAL_MS = 10;

/** How many bytes of memory this process had more than before, at most, during some work. */
export async function watchMemory(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), INTERVAL_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return most - before;
}
