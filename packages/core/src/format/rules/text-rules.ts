import { frontmatterMissing } from "./syntax/frontmatter-missing.ts";
import { frontmatterNotFirst } from "./syntax/frontmatter-not-first.ts";
import { frontmatterTooLarge } from "./syntax/frontmatter-too-large.ts";
import { frontmatterUnclosed } from "./syntax/frontmatter-unclosed.ts";
import { yamlAlias } from "./syntax/yaml-alias.ts";
import { yamlDuplicateKey } from "./syntax/yaml-duplicate-key.ts";
import { yamlInvalid } from "./syntax/yaml-invalid.ts";
import { yamlNotAMapping } from "./syntax/yaml-not-a-mapping.ts";
import { yamlPrototypeKey } from "./syntax/yaml-prototype-key.ts";
import { yamlRepaired } from "./syntax/yaml-repaired.ts";
import { yamlTag } from "./syntax/yaml-tag.ts";
import { yamlTooDeep } from "./syntax/yaml-too-deep.ts";
import { allowedToolsUnreadable } from "./fields/allowed-tools-unreadable.ts";
import { compatibilityTooLong } from "./fields/compatibility-too-long.ts";
import { controlInvalid } from "./fields/control-invalid.ts";
import { descriptionMissing } from "./fields/description-missing.ts";
import { descriptionTooLong } from "./fields/description-too-long.ts";
import { extraNested } from "./fields/extra-nested.ts";
import { fieldType } from "./fields/field-type.ts";
import { keyMisspelt } from "./fields/key-misspelt.ts";
import { keyUnknown } from "./fields/key-unknown.ts";
import { metadataValue } from "./fields/metadata-value.ts";
import { nameInvalid } from "./fields/name-invalid.ts";
import { nameMismatch } from "./fields/name-mismatch.ts";
import { nameMissing } from "./fields/name-missing.ts";
import { nameTooLong } from "./fields/name-too-long.ts";
import { valueAmbiguous } from "./fields/value-ambiguous.ts";
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
import { bodyEmpty } from "./quality/body-empty.ts";
import { bodyTooLong } from "./quality/body-too-long.ts";
import { bodyTooManyTokens } from "./quality/body-too-many-tokens.ts";
import { descriptionWithoutWhen } from "./quality/description-without-when.ts";
import { sectionMissing } from "./quality/section-missing.ts";

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
