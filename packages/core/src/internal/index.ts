export {
  type ConfinedFile,
  type ConfinedOptions,
  openConfined,
  openConfinedSync,
  openSettled,
} from "./confined.ts";
export { imageTypeOf } from "../files/media-type.ts";
export { resolveFileName, type ResolvedName, resolveScriptName } from "../files/skill-path.ts";
export {
  type ParameterDefinitions,
  type ParameterValues,
  toInputSchema,
} from "../tools/parameters.ts";
export { type InputRules, readInput } from "../tools/read-input.ts";
export { failureText, isFailure } from "../tools/result-text.ts";
export { TimeSlice } from "../sources/skill-source.ts";
export { copyFiles, type CopyOptions, type CopyResult } from "./copy.ts";
export { defined } from "./defined.ts";
export { unifiedDiff, type DiffOptions, type UnifiedDiff } from "./diff.ts";
export {
  APPEND_FLAGS,
  CREATE_FLAGS,
  errorCode,
  linkNew,
  makeFolder,
  openRegular,
  placeNew,
  READ_FLAGS,
  readIfPresent,
  type ReadOptions,
  readRegularFile,
  readUpTo,
  removeQuietly,
  replaceAtomic,
  syncFolder,
  temporaryPath,
  UnusableFileError,
  type UnusableReason,
  writeAtomic,
  writeNew,
  type WriteOptions,
} from "./files.ts";
export {
  frame,
  FRAME_TAGS,
  frameParts,
  type FrameTag,
  promptLine,
  promptText,
  unescapedFrames,
} from "./frame.ts";
export { canonicalJson, type CanonicalOptions, isNestedDeeper } from "./json.ts";
export { editJson, type ParsedJson, parseJsonc, withValue } from "./json-edit.ts";
export { isHostError, markHostError } from "./host-error.ts";
export { isBelow, leadsOut } from "./leads-out.ts";
export { checkOptions, oneOf, type OptionKinds } from "./options.ts";
export {
  type LockAttempt,
  type LockOptions,
  takeLock,
  waitForLock,
  waitForLockSync,
} from "./lock.ts";
export {
  hasProcessEnded,
  ownIdentity,
  parseIdentity,
  type ProcessIdentity,
} from "./process-identity.ts";
export {
  escapeCharacter,
  escapeHiddenInJson,
  escapeXml,
  plainLine,
  plural,
  quoteLine,
  quoteName,
  quoteNames,
  stripHidden,
  truncate,
  truncateMiddle,
  visibleLine,
  visibleLines,
} from "./text.ts";
export { type DirectoryEntry, walkDirectory, type WalkLimits, type WalkResult } from "./walk.ts";
export { displayWidth, splitAtWidth, splitGraphemes, truncateWidth } from "./width.ts";
