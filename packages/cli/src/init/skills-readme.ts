/** Stands in the folder of skills, for whoever opens it first. */
export const SKILLS_README = `# Skills of this project

Each folder here is a skill: a \`SKILL.md\` with a name, a description and instructions, and what they need beside it.

\`\`\`
.agent/skills/
  release-notes/
    SKILL.md             what a model reads, and when to use the skill
    references/          documents that it reads when it needs them
    scripts/             programs that it runs in a sandbox
    assets/              templates and other files
    evals/evals.json     requests that show whether the skill works
\`\`\`

The folder has the name of the skill: lowercase letters, digits and hyphens.

## How they are found

Skills are looked for in this order; of two with the same name the first one counts:

1. this project: \`.agent/skills\`, \`.agents/skills\`, \`.claude/skills\`, \`.botsharp/skills\`, \`skills\`
2. yours: the same folders in your home directory, but for \`skills\`
3. those that come with skillwright

A model is offered the skills of a project only once its folder is trusted.

## Commands

\`\`\`
skillwright new release-notes    start a skill
skillwright lint                 check all of them
skillwright trust                offer them to models, after a look
skillwright list                 see what is found
skillwright explain NAME         see why one is, or is not, offered
\`\`\`
`;
