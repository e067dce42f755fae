/** What tests use of this folder; sources import the files themselves. */

export { copyTree, type CopyTreeOptions } from "./copy-tree.ts";
export { findCandidates, type FindCandidatesOptions } from "./find-candidates.ts";
export { readArchive, type ReadArchive, type ReadArchiveOptions } from "./read-archive.ts";
