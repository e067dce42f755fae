import { openSync, readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXECUTE = 0o2000000;

let known: readonly number[] | undefined;
let nothing: number | undefined;

/**
 * What to put at each place of a child's descriptors from `from` on, so that nothing leaks that
 * this process itself was started with: an open folder would be a way out of a sandbox. Node closes
 * only those without a gap before them.
 */
export function coverDescriptors(from: number): ("ignore" | number)[] {
  known ??= inheritedDescriptors();
  const leaking = known.filter((descriptor) => descriptor >= from);
  if (leaking.length === 0) return [];
  nothing ??= openSync("/dev/null", "r+");
  const cover = nothing;
  const last = Math.max(...leaking);
  return Array.from({ length: last - from + 1 }, (_, i) =>
    leaking.includes(from + i) ? cover : "ignore",
  );
}

function inheritedDescriptors(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isInherited(descriptor));
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const text = readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1");
    const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(text)?.[1] ?? "0", 8);
    return (flags & CLOSE_ON_EXECUTE) === 0;
  } catch {
    return false;
  }
}
