'use strict'

// Errors of Node's http client under the engine's names.

const FAULTS = {
  CARRONADE_TIMEOUT: ['timeout', 'timeout'],
  CARRONADE_CLOSED: ['closed_before_response', 'read'],
  ECONNREFUSED: ['connect_refused', 'connect'],
  EHOSTUNREACH: ['connect_failed', 'connect'],
  ENETUNREACH: ['connect_failed', 'connect'],
  EACCES: ['connect_failed', 'connect'],
  ETIMEDOUT: ['connect_timeout', 'connect'],
  EMFILE: ['out_of_descriptors', 'connect'],
  ENFILE: ['out_of_descriptors', 'connect'],
  EADDRNOTAVAIL: ['out_of_ports', 'connect'],
  EADDRINUSE: ['out_of_ports', 'connect'],
  ENOBUFS: ['out_of_memory', 'connect'],
  ENOMEM: ['out_of_memory', 'connect'],
  ENOTFOUND: ['resolve_failed', 'resolve'],
  EAI_AGAIN: ['resolve_failed', 'resolve'],
  ECONNRESET: ['connection_reset', 'read'],
  EPIPE: ['write_failed', 'write'],
  EPROTO: ['tls_handshake', 'tls'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'parse'],
  HPE_UNEXPECTED_CONTENT_LENGTH: ['conflicting_length', 'parse'],
  HPE_INVALID_CHUNK_SIZE: ['malformed_chunk', 'parse']
}
const CERTIFICATE = /CERT|VERIFY|SIGNATURE|ISSUER/
const UNCONNECTED = new Set(['connect', 'resolve', 'tls'])

/**
 * @param {Error & {code?: string, errors?: Error[]}} error
 * @param {string} [cut] the kind when the connection ended: in the middle of an answer
 * @returns {{kind: string, phase: string, text: string, unconnected: boolean}}
 */
function faultOf(error, cut) {
  // Of several addresses of a host that were tried, the last one.
  const real = error.errors && error.errors.length > 0 ? error.errors.at(-1) : error
  const code = String(real.code || '')
  const [kind, phase] = kindOf(real, code, cut)
  const text = real.message || code || String(real)
  return { kind, phase, text, unconnected: UNCONNECTED.has(phase) }
}

function kindOf(error, code, cut) {
  if (code === 'ECONNRESET' && cut) return [cut, 'read']
  if (code === 'ECONNRESET' && error.message === 'socket hang up') {
    return ['closed_before_response', 'read']
  }
  if (FAULTS[code]) return FAULTS[code]
  if (code.startsWith('HPE_')) return ['malformed_response', 'parse']
  if (CERTIFICATE.test(code)) return ['tls_certificate', 'tls']
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return ['tls_handshake', 'tls']
  return ['read_failed', 'read']
}

module.exports = { faultOf }
