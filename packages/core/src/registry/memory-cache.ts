import type { FolderIndex, ScanCache } from "../sources/skill-source.ts";

/** Remembers within the registry, in front of a slower cache; without one, within the process. */
export function memoryCache(behind: ScanCache = processCache): ScanCache {
  const indexes = new Map<string, FolderIndex>();
  return {
    async read(root) {
      const index = indexes.get(root) ?? (await behind.read(root));
      if (index !== undefined) indexes.set(root, index);
      return index;
    },
    async write(root, index) {
      indexes.set(root, index);
      await behind.write(root, index);
    },
  };
}

const known = new Map<string, WeakRef<FolderIndex>>();
const forgotten = new FinalizationRegistry((root: string) => {
  if (known.get(root)?.deref() === undefined) known.delete(root);
});

/** What one registry has read another need not, as long as the first is in use. */
const processCache: ScanCache = {
  read: (root) => Promise.resolve(known.get(root)?.deref()),
  write(root, index) {
    known.set(root, new WeakRef(index));
    forgotten.register(index, root);
    return Promise.resolve();
  },
};
