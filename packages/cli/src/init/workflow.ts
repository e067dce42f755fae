import { VERSION } from "../version.ts";

export const WORKFLOW_FILE = ".github/workflows/skills.yml";

/** Skillwright as `npm pack` makes it, kept in the project: nothing is taken by its name from a registry. */
export const TARBALL = `vendor/skillwright-${VERSION}.tgz`;

/** Checks skills in CI: their form, that what was installed is unchanged, and that they work. */
export function workflowText(): string {
  return `name: Skills
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      # Made once in a checkout of Skillwright: npm pack -w skillwright --pack-destination <this project>/vendor
      - run: npm install --global ./${TARBALL}
      # Scripts of skills run in this sandbox.
      - run: sudo apt-get update && sudo apt-get install --yes bubblewrap
      - run: skillwright lint --strict --format github
      - run: skillwright scan --fail-on high
      - if: hashFiles('.agent/skills.lock.json') != ''
        run: skillwright verify
      - run: skillwright eval --trust
`;
}
