'use strict'

// The TCP port that a program listens on, found by looking at its sockets (Linux): works for
// programs in any language, and needs nothing from them.

const fs = require('fs')

const INTERVAL_MS = 20
const LISTENING = '0A'

/**
 * @param {number} pid of the program; its children are looked at too
 * @param {(port: number) => void} found called once
 * @returns {() => void} stops looking
 */
function watchForPort(pid, found) {
  const timer = setInterval(() => {
    const port = portOf(pid)
    if (port === undefined) return
    clearInterval(timer)
    found(port)
  }, INTERVAL_MS)
  return () => clearInterval(timer)
}

function portOf(pid) {
  for (const process of processTree(pid)) {
    const sockets = socketsOf(process)
    if (sockets.size === 0) continue
    for (const { inode, port } of listenersSeenBy(process)) {
      if (sockets.has(inode)) return port
    }
  }
  return undefined
}

function processTree(pid) {
  const tree = [pid]
  for (let i = 0; i < tree.length; i++) {
    for (const thread of namesIn(`/proc/${tree[i]}/task`)) {
      const children = contentOf(`/proc/${tree[i]}/task/${thread}/children`)
      tree.push(...children.split(' ').filter(Boolean).map(Number))
    }
  }
  return tree
}

function socketsOf(pid) {
  const sockets = new Set()
  for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
    const match = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${descriptor}`))
    if (match) sockets.add(match[1])
  }
  return sockets
}

// Lines like "  0: 0100007F:1F90 00000000:0000 0A … inode …", in the process's own network.
function listenersSeenBy(pid) {
  const tables = contentOf(`/proc/${pid}/net/tcp`) + contentOf(`/proc/${pid}/net/tcp6`)
  return tables.split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTENING)
    .map((fields) => ({ inode: fields[9], port: parseInt(fields[1].split(':')[1], 16) }))
}

// A process may end while it is looked at: then there is nothing to see.
function orElse(look, nothing) {
  try {
    return look()
  } catch (error) {
    return nothing
  }
}

const namesIn = (folder) => orElse(() => fs.readdirSync(folder), [])
const contentOf = (file) => orElse(() => fs.readFileSync(file, 'utf8'), '')
const linkOf = (file) => orElse(() => fs.readlinkSync(file), '')

module.exports = { watchForPort }
