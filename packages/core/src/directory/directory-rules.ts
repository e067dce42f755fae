import { directoryTooLarge } from "./rules/directory-too-large.ts";
import { encodingInvalid } from "./rules/encoding-invalid.ts";
import { executableBit } from "./rules/executable-bit.ts";
import { fileMisplaced } from "./rules/file-misplaced.ts";
import { linkInside } from "./rules/link-inside.ts";
import { pathCollision } from "./rules/path-collision.ts";
import { pathUnsafe } from "./rules/path-unsafe.ts";
import { referenceDead } from "./rules/reference-dead.ts";
import { referenceOutside } from "./rules/reference-outside.ts";
import { skillFileMissing } from "./rules/skill-file-missing.ts";
import { skillFileTooLarge } from "./rules/skill-file-too-large.ts";
import { skillFileUnreadable } from "./rules/skill-file-unreadable.ts";
import { specialFile } from "./rules/special-file.ts";

export const directoryRules = [
  directoryTooLarge,
  encodingInvalid,
  executableBit,
  fileMisplaced,
  linkInside,
  pathCollision,
  pathUnsafe,
  referenceDead,
  referenceOutside,
  skillFileMissing,
  skillFileTooLarge,
  skillFileUnreadable,
  specialFile,
] as const;
