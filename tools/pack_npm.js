'use strict'

// For tools/pack_npm.sh: the package.json of the package, and the packages that it carries.
//
//   node pack_npm.js FROM_PACKAGE_JSON NODE_MODULES PACKAGE_FOLDER

const fs = require('fs')
const path = require('path')

const [from, modules, folder] = process.argv.slice(2)
// Of a carried package: for those who work on it.
const UNUSED = new Set(['example', 'test'])
const facts = JSON.parse(fs.readFileSync(from, 'utf8'))

/** Copies a package and what it depends on; `wanted` is its version, or undefined for any. */
function carry(name, wanted) {
  const source = path.join(modules, name)
  const { version, dependencies = {} } = require(path.resolve(source, 'package.json'))
  if (wanted !== undefined && version !== wanted) {
    throw new Error(`${name} is ${version} here and ${wanted} in ${from}: tools/bootstrap.sh npm`)
  }
  const target = path.join(folder, 'node_modules', name)
  if (fs.existsSync(target)) return
  fs.cpSync(source, target, {
    recursive: true,
    filter: (file) => !UNUSED.has(path.relative(source, file))
  })
  for (const inner of Object.keys(dependencies)) {
    if (!fs.existsSync(path.join(source, 'node_modules', inner))) carry(inner)
  }
}

for (const name of facts.bundleDependencies) carry(name, facts.dependencies[name])
// The binaries are those of this machine's processor.
facts.cpu = [process.arch]
fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(facts, null, 2) + '\n')
