#!/usr/bin/env node
// Committed, so that npm can link it before the first build.
"use strict";
const { enableCompileCache } = require("node:module");
if (enableCompileCache === undefined) {
  require("./load-with-code-cache.cjs").loadWithCodeCache("skillwright.cjs");
} else {
  enableCompileCache();
  require("../dist/skillwright.cjs");
}
