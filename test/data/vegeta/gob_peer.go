// A second opinion on vegeta's gob streams: Go's own encoding/gob over the fields that the format
// has. For test/e2e/test_vegeta_gob.py.
//
//	gob_peer encode < lines.json > results.gob
//	gob_peer decode < results.gob > lines.json
//	gob_peer foreign > results.gob     (results with other fields, of every kind, among theirs)
package main

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

type Header map[string][]string

type Result struct {
	Attack    string        `json:"attack"`
	Seq       uint64        `json:"seq"`
	Code      uint16        `json:"code"`
	Timestamp time.Time     `json:"timestamp"`
	Latency   time.Duration `json:"latency"`
	BytesOut  uint64        `json:"bytes_out"`
	BytesIn   uint64        `json:"bytes_in"`
	Error     string        `json:"error"`
	Body      []byte        `json:"body"`
	Method    string        `json:"method"`
	URL       string        `json:"url"`
	Headers   Header        `json:"headers"`
}

type Leaf struct {
	Name  string
	Score float64
	Next  *Leaf
}

// Foreign has the fields of a result in another order, and strange ones between them.
type Foreign struct {
	Flag      bool
	URL       string
	Pair      complex128
	Leaves    []Leaf
	Code      uint16
	Grid      [2][3]int
	ByName    map[string]Leaf
	Anything  interface{}
	Latency   time.Duration
	Instants  []time.Time
	Float     float32
	Timestamp time.Time
	Nothing   interface{}
	Raw       []byte
	Seq       uint64
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func encode(in io.Reader, out io.Writer) {
	from, to := json.NewDecoder(in), gob.NewEncoder(out)
	for {
		var result Result
		err := from.Decode(&result)
		if err == io.EOF {
			return
		}
		check(err)
		check(to.Encode(&result))
	}
}

func decode(in io.Reader, out io.Writer) {
	from, to := gob.NewDecoder(in), json.NewEncoder(out)
	for {
		var result Result
		err := from.Decode(&result)
		if err == io.EOF {
			return
		}
		check(err)
		check(to.Encode(&result))
	}
}

func foreign(out io.Writer) {
	gob.Register(Leaf{})
	gob.Register(map[string]int{})
	to := gob.NewEncoder(out)
	start := time.Unix(1700000000, 123456789).UTC()
	leaf := Leaf{"a", 1.5, &Leaf{Name: "b", Next: &Leaf{Name: "c"}}}
	for i := uint64(0); i < 3; i++ {
		check(to.Encode(&Foreign{
			Flag: true, URL: "http://h/", Pair: complex(1, -2), Leaves: []Leaf{leaf, {}, leaf},
			Code: 204, Grid: [2][3]int{{1, 2, 3}, {-4, 5, 600}},
			ByName:   map[string]Leaf{"x": leaf, "": {}},
			Anything: []interface{}{leaf, map[string]int{"n": 7}, "text"}[i],
			Latency:  time.Millisecond, Instants: []time.Time{start, start},
			Float: 0.25, Timestamp: start.Add(time.Duration(i) * time.Second),
			Raw: []byte{0, 255}, Seq: i,
		}))
	}
}

func main() {
	if len(os.Args) != 2 {
		check(fmt.Errorf("usage: gob_peer encode|decode|foreign"))
	}
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	switch os.Args[1] {
	case "encode":
		encode(in, out)
	case "decode":
		decode(in, out)
	case "foreign":
		foreign(out)
	default:
		check(fmt.Errorf("no such word: %s", os.Args[1]))
	}
}
