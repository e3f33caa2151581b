'use strict'

const isPlain = (value) => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * A copy that shares no object with the original, so that one connection's changes are not seen
 * by another. Functions, and what has no copy (sockets, promises …), are shared.
 * @template T
 * @param {T} value
 * @param {Map<object, object>} [seen] for values that contain themselves
 * @returns {T}
 */
function deepClone(value, seen = new Map()) {
  if (typeof value !== 'object' || value === null) return value
  if (seen.has(value)) return seen.get(value)
  const shell = emptyCopy(value)
  if (shell === value) return value
  seen.set(value, shell)
  if (value instanceof Map) {
    for (const [key, item] of value) shell.set(deepClone(key, seen), deepClone(item, seen))
  } else if (value instanceof Set) {
    for (const item of value) shell.add(deepClone(item, seen))
  } else if (Array.isArray(value) || isPlain(value) || isOwnClass(value)) {
    for (const key of Object.keys(value)) shell[key] = deepClone(value[key], seen)
  }
  return shell
}

function emptyCopy(value) {
  if (Array.isArray(value)) return new Array(value.length)
  if (isPlain(value)) return {}
  if (Buffer.isBuffer(value)) return Buffer.from(value)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return structuredClone(value)
  if (value instanceof Date) return new Date(value.getTime())
  if (value instanceof RegExp) return new RegExp(value.source, value.flags)
  if (value instanceof Map) return new Map()
  if (value instanceof Set) return new Set()
  return isOwnClass(value) ? Object.create(Object.getPrototypeOf(value)) : value
}

// Instances of a class written in JavaScript and without hidden state, as far as can be told.
function isOwnClass(value) {
  return Object.prototype.toString.call(value) === '[object Object]' && !isPlain(value)
}

module.exports = { deepClone }
