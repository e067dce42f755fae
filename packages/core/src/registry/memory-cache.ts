import type { FolderIndex, ScanCache } from "../sources/skill-source.ts";

/** Remembers within the registry, in front of a slower cache; without one, within the process. */
export function memoryCache(behind: ScanCache = processCache): ScanCache {
  const indexes = new Map<string, FolderIndex>();
  return {
    async read(key) {
      const index = indexes.get(key) ?? (await behind.read(key));
      if (index !== undefined) indexes.set(key, index);
      return index;
    },
    async write(key, index) {
      indexes.set(key, index);
      await behind.write(key, index);
    },
  };
}

const known = new Map<string, WeakRef<FolderIndex>>();
const forgotten = new FinalizationRegistry((key: string) => {
  if (known.get(key)?.deref() === undefined) known.delete(key);
});

/** What one registry has read another need not, as long as the first is in use. */
const processCache: ScanCache = {
  read: (key) => Promise.resolve(known.get(key)?.deref()),
  write(key, index) {
    known.set(key, new WeakRef(index));
    forgotten.register(index, key);
    return Promise.resolve();
  },
};
