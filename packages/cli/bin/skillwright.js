#!/usr/bin/env node
// Committed, so that npm can link it before the first build.
import "../dist/skillwright.js";
