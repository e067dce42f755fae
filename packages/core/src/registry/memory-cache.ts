import type { FolderIndex, ScanCache } from "../sources/skill-source.ts";

/** Remembers within the process, in front of a slower cache if there is one. */
export function memoryCache(behind?: ScanCache): ScanCache {
  const indexes = new Map<string, FolderIndex>();
  return {
    async read(root) {
      const index = indexes.get(root) ?? (await behind?.read(root));
      if (index !== undefined) indexes.set(root, index);
      return index;
    },
    async write(root, index) {
      indexes.set(root, index);
      await behind?.write(root, index);
    },
  };
}
