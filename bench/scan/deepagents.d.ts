/** What is used of it, so that types can be checked without installing bench/. */
declare module "deepagents" {
  export function listSkills(options: { readonly projectSkillsDir: string }): readonly unknown[];
}
