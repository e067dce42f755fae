import {
  frontmatterMissing,
  frontmatterNotFirst,
  frontmatterTooLarge,
  frontmatterUnclosed,
  yamlAlias,
  yamlDuplicateKey,
  yamlInvalid,
  yamlNotAMapping,
  yamlPrototypeKey,
  yamlRepaired,
  yamlTag,
  yamlTooDeep,
} from "./syntax-rules.ts";
import {
  allowedToolsUnreadable,
  compatibilityTooLong,
  controlInvalid,
  descriptionMissing,
  descriptionTooLong,
  extraNested,
  fieldType,
  keyMisspelt,
  keyUnknown,
  metadataValue,
  nameInvalid,
  nameMismatch,
  nameMissing,
  nameTooLong,
  valueAmbiguous,
} from "./field-rules.ts";
import { angleBrackets } from "./safety/angle-brackets.ts";
import { bodyInvisibleCharacters } from "./safety/body-invisible-characters.ts";
import { concealInstruction } from "./safety/conceal-instruction.ts";
import { controlCharacters } from "./safety/control-characters.ts";
import { descriptionOverreach } from "./safety/description-overreach.ts";
import { htmlComment } from "./safety/html-comment.ts";
import { invisibleCharacters } from "./safety/invisible-characters.ts";
import { nameConfusable } from "./safety/name-confusable.ts";
import { roleMarker } from "./safety/role-marker.ts";
import { toolsUnrestricted } from "./safety/tools-unrestricted.ts";
import { zeroWidthCharacters } from "./safety/zero-width-characters.ts";
import {
  bodyEmpty,
  bodyTooLong,
  bodyTooManyTokens,
  descriptionWithoutWhen,
  sectionMissing,
} from "./quality-rules.ts";

export const syntaxRules = [
  frontmatterMissing,
  frontmatterNotFirst,
  frontmatterTooLarge,
  frontmatterUnclosed,
  yamlAlias,
  yamlDuplicateKey,
  yamlInvalid,
  yamlNotAMapping,
  yamlPrototypeKey,
  yamlRepaired,
  yamlTag,
  yamlTooDeep,
] as const;

export const fieldsRules = [
  allowedToolsUnreadable,
  compatibilityTooLong,
  controlInvalid,
  descriptionMissing,
  descriptionTooLong,
  extraNested,
  fieldType,
  keyMisspelt,
  keyUnknown,
  metadataValue,
  nameInvalid,
  nameMismatch,
  nameMissing,
  nameTooLong,
  valueAmbiguous,
] as const;

export const safetyRules = [
  angleBrackets,
  bodyInvisibleCharacters,
  concealInstruction,
  controlCharacters,
  descriptionOverreach,
  htmlComment,
  invisibleCharacters,
  nameConfusable,
  roleMarker,
  toolsUnrestricted,
  zeroWidthCharacters,
] as const;

export const qualityRules = [
  bodyEmpty,
  bodyTooLong,
  bodyTooManyTokens,
  descriptionWithoutWhen,
  sectionMissing,
] as const;
