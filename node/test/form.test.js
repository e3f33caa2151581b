'use strict'

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { test } = require('node:test')
const { buildForm } = require('../lib/form')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-form-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

function written(name, content) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, content)
  return file
}

// The parts between the boundaries, each as [head lines, content].
function partsOf({ body, contentType }) {
  const [, boundary] = /^multipart\/form-data; boundary=(-{26}[0-9a-f]{24})$/.exec(contentType)
  const text = body.toString('latin1')
  assert.ok(text.endsWith(`--${boundary}--\r\n`))
  return text.split(`--${boundary}`).slice(1, -1).map((part) => {
    const [head, ...content] = part.replace(/^\r\n|\r\n$/g, '').split('\r\n\r\n')
    return [head.split('\r\n'), content.join('\r\n\r\n')]
  })
}

test('writes texts and files', () => {
  const file = written('picture.jpeg', Buffer.from([0, 255, 13, 10]))
  const form = buildForm({
    'a "b"\n': { type: 'text', value: 'one\r\n\r\ntwo' },
    image: { type: 'file', path: file }
  })
  assert.deepStrictEqual(partsOf(form), [
    [['Content-Disposition: form-data; name="a %22b%22%0A"'], 'one\r\n\r\ntwo'],
    [['Content-Disposition: form-data; name="image"; filename="picture.jpeg"',
      'Content-Type: image/jpeg'], '\0\xff\r\n']
  ])
  assert.deepStrictEqual(form.headers, { 'content-type': form.contentType })
})

test('takes name and type of a file from its options', () => {
  const file = written('unknown', 'x')
  const head = (options) => partsOf(buildForm({ f: { type: 'file', path: file, options } }))[0][0]
  const disposition = (name) => `Content-Disposition: form-data; name="f"; filename="${name}"`
  assert.deepStrictEqual(head(),
    [disposition('unknown'), 'Content-Type: application/octet-stream'])
  assert.deepStrictEqual(head({ filename: 'x/y.png' }),
    [disposition('y.png'), 'Content-Type: image/png'])
  assert.deepStrictEqual(head({ filepath: '/a/../b/c.txt' }),
    [disposition('/b/c.txt'), 'Content-Type: text/plain'])
  assert.deepStrictEqual(head({ contentType: 'x/y', header: { 'X-A': '1' } }),
    [disposition('unknown'), 'Content-Type: x/y', 'X-A: 1'])
})

test('takes an object, its JSON, or the path of a file with it', () => {
  const fields = { a: { type: 'text', value: 'v' } }
  const file = written('form.json', JSON.stringify(fields))
  for (const form of [fields, JSON.stringify(fields), file]) {
    assert.deepStrictEqual(partsOf(buildForm(form)),
      [[['Content-Disposition: form-data; name="a"'], 'v']])
  }
})

test('says what is missing', () => {
  const notAForm = /^Error: Invalid JSON or file where to get form data$/
  assert.throws(() => buildForm('u'), notAForm)
  assert.throws(() => buildForm('none.json'), notAForm)
  for (const given of [(form) => form, JSON.stringify]) {
    assert.throws(() => buildForm(given({ image: { type: 'file' } })),
      /^Error: Missing key 'path' in form object for key 'image'$/)
    assert.throws(() => buildForm(given({ image: { type: 'text' } })),
      /^Error: Missing key 'value' in form object for key 'image'$/)
    assert.throws(() => buildForm(given({ image: { type: 'random' } })),
      /^Error: A 'type' key with value 'text' or 'file' should be specified$/)
  }
  assert.throws(() => buildForm({ f: { type: 'file', path: '/none' } }), /ENOENT/)
})
