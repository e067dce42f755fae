const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type End = () => void;

const ends = new Set<End>();

/** Calls this when the process ends, unless it is taken back before; must not wait for anything. */
export function endWithProcess(end: End): () => void {
  if (ends.size === 0) listen();
  ends.add(end);
  return () => {
    if (ends.delete(end) && ends.size === 0) stopListening();
  };
}

function listen(): void {
  process.on("exit", endAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function stopListening(): void {
  process.off("exit", endAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function endAll(): void {
  for (const end of ends) end();
}

/** Hosts that count listeners see by this that nobody ends their work in order. */
Object.assign(onSignal, { [Symbol.for("skillwright.only-cleans-up")]: true });

/** Who else listens decides what the signal means; otherwise it does what it always does. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  endAll();
  ends.clear();
  stopListening();
  process.kill(process.pid, signal);
}
