#include "tinyxml2.h"
#include <cstdio>
using namespace tinyxml2;
struct Counter : XMLVisitor {
  int elements = 0;
  bool VisitEnter(const XMLElement& element, const XMLAttribute* first) override {
    elements += first ? 2 : 1;
    return element.Name()[0] != 'z';
  }
};
int main() {
  XMLDocument document;
  document.Parse("<?xml version='1.0'?><!-- a --><root kind=\"x &amp; y\"><item n='1'>one</item><item n='2.5'/>"
                 "<![CDATA[<raw>]]><deep><deeper flag='true'>text &#233;</deeper></deep></root>");
  XMLElement* root = document.RootElement();
  double sum = 0;
  for (XMLElement* item = root->FirstChildElement("item"); item; item = item->NextSiblingElement("item"))
    sum += item->DoubleAttribute("n");
  XMLElement* added = document.NewElement("added");
  added->SetAttribute("count", 7);
  added->SetText("some <text>");
  root->InsertEndChild(added);
  root->DeleteChild(root->FirstChildElement("deep"));
  Counter counter;
  document.Accept(&counter);
  XMLPrinter printer;
  document.Print(&printer);
  XMLDocument broken;
  broken.Parse("<a><b></a>");
  std::printf("%g %d %d %s\n", sum, counter.elements, printer.CStrSize(), broken.ErrorStr());
  return 0;
}
